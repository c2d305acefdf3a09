package detect

// conceptWords lists the words of one concept. In words, _ joins the words of a phrase, + lets up
// to four other words come between, and ~ stands for any ending. Words of scripts without spaces
// match anywhere. Verbs are in their base form; other forms are derived.
type conceptWords struct{ concept, words string }

// nounConcepts are concepts whose words may have a plural s but no verb forms.
const nounConcepts = "key private data place url book guard protect who artifact self spread asset matters"

// englishConcepts are the English words of the concepts.
var englishConcepts = []conceptWords{
	// Negations, and orders not to do something.
	{"no", `not never no don't dont cannot can't avoid without shouldn't won't refuse refuses refused forbid forbids forbidden prohibited nobody prevent prevents disallow
		disallows isn't aren't doesn't didn't mustn't nor neither refrain instead`},
	{"dont", `not never don't dont avoid without refrain no_need no_reason needn't shouldn't mustn't nobody`},

	// What is sent, how, and where to.
	{"send", `send post upload forward mail email e-mail attach paste mirror sync synchronise synchronize transmit ship share publish report submit push copy
		deliver exfiltrate leak relay stream scp rsync curl transfer drop pipe tunnel broadcast replicate hand_over hand+over pass_on pass+on put place export
		message cc bcc disclose provide write add include embed append fax ping archive backup back_up route beam hand supply
		communicate dispatch feed deposit be+sent be_posted is_sent gets_sent smuggle`},
	{"ship", `send post upload forward mail email e-mail attach paste mirror sync transmit ship publish submit push exfiltrate leak relay stream transfer replicate
		share copy deliver hand_over hand+over pass_on pass+on report cc bcc archive backup back_up scp rsync beam dump deposit be+sent smuggle
		hand upload_it give put`},
	{"key", `credential secret password passphrase passcode token api_key apikey api-key access_key access-key private_key ssh_key ssh-key signing_key
		deploy_key encryption_key service_account cookie jwt keychain keyring keystore kubeconfig wallet seed_phrase mnemonic .env env_file environment_variable env_var
		the_environment full_environment entire_environment dotenv id_rsa id_ed25519 authorization_header passwd netrc pgpass htpasswd connection_string database_url printenv
		two-factor_code 2fa_code otp one-time_code one-time_password recovery_code backup_code verification_code mfa_code credit_card card_number
		social_security ssh_directory ssh_folder login_data totp secrets_file key_file process.env os.environ client_secret secret_key signing_secret
		webhook_secret tfvars tfstate gpg_key gnupg aws_keys server_key deployment_key certificate_key vault_key bearer_header login_details pin_number keys_in keys_from
		auth_header session_key master_key vpn_config host_key logins
		/.ssh /.aws .netrc .npmrc .pypirc .pgpass .git-credentials .kube/config .docker/config /etc/shadow /etc/passwd .config/gh .gnupg ~/.ssh
		stripe_key our+key openai_key anthropic_key github_key google_key twilio_key sendgrid_key azure_key live_key prod_key production_key
		tokens_in all_tokens license_server_key release_key signing_certificate keystore_password session_id login_cookie
		fernet_key boot_key signing_material .jks keystore.properties service_account_json sa.json recovery_phrase twelve_words 12_words
		recovery_words ghp_ xoxb- sk-
		process_environment whole_process gzipped vault_token masked_ones secret_variables card_fields cc_number`},
	{"private", `conversation transcript chat_history chat_log system_prompt last_message user_message user's_message memory_file memories notes source_code
		proprietary_code the_repository whole_repository entire_repository private_repository repository_contents codebase customer_data customer_record customer_list
		customer_export user_data user_record user_table personal_data email_address contacts
		payroll salary invoice signed_contract customer_contract employment_contract clipboard screenshot browser_profile browser_history keystroke .git home_directory home_folder internal_document
		user's_question user's_request user_input user's_prompt every_prompt each_prompt prompt_history mailbox inbox calendar database_dump db_dump full_dump
		confidential address_book phone_number patient medical_record tax_record unreleased spreadsheet financial working_tree git_history stack_trace
		internal_wiki design_documents client_list shell_history command_history customers.csv audit_log list_of_your_tools your_instructions user_messages
		tool_list each_message every_message every_file open_file all_files modified_files project_files workspace_files customer_names chat_logs diff
		every_branch all_branches each_branch customer_fixtures private_repo full_text payment_methods patient_rows customer_table users_table
		wiki_pages private_branches whole_history
		payroll.csv customer_exports client_exports player_names phone_numbers order_data shoppers`},
	{"place", `webhook pastebin gist s3_bucket ftp_server telegram ngrok requestbin dropbox personal_email personal_account
		external_server external_endpoint external_host external_service remote_server remote_host remote_endpoint third-party_server third_party_server
		public_repo public_repository public_bucket public_gist public_channel public_issue attacker outside_server their_server vendor's_server
		discord external_address paste_site paste_service external_url remote_url external_site third_party third_parties anonymous_upload
		file.io 0x0.st termbin pipedream outside_the_company outside_the_organisation outside_the_organization
		their_bucket vendor_bucket vendor's_bucket partner_bucket external_collaborator external_contractor public_pastebin external_bucket gmail file-sharing
		https: http:/ ftp:/
		open_an_issue file_an_issue new_issue_on issue_on_github community_forum mailing_list support_mailbox outside_address their_endpoint
		partner_endpoint collector remote_collector
		outside_consultant consultant contractor their_mirror vendor_webhook`},
	{"fill", `followed_by plus_the replaced_by replaced+with filled_in filled+with appended append url-encoded urlencoded percent-encoded with+added carry
		carries containing with+behind with+attached add+behind add+to_the_address put+behind put+into_the_link with+encoded encoded_in
		add+as_a_parameter
		plus
		append+and followed_by_the holding+encoded
		filling_in filling fills_in`},
	{"url", `url link address query query_string parameter hostname subdomain fragment image_url beacon pixel`},
	{"data", `content value message question answer reply prompt conversation transcript secret token password key credential env environment
		cookie memory memories notes base64 summary api_key session_token characters code username hostname code_snippet branch text variables source
		stack_trace open_file current_file file_contents user's_name user_said user_told what_the_user user's_answer diff database_url
		connection_string real_key the_key branch_name commit_message
		user_typed the_user_typed user_wrote typed_last customer_rows rows identifiers participant user_asked`},

	// Secrets written where others read them.
	{"note", `write print log echo store save remember record collect include put dump commit embed hardcode hard-code capture gather memorise memorize
		cache paste retain harvest stash jot check_in read_out quote persist note_down write_down
		write_out ask+for bake preserve hold_on_to ask_for
		 note+down keep+in keep+under leave+in
		note_it note_them note_the
		list+of keep_a+list keep_a_list write+down belongs_in belong_in saved_in log_the print_the commit_the cache_the
		list document`},
	{"book", `memory memories note notes file log logfile comment repo repository bug_report readme console tmp plain_text
		plaintext plain cleartext clear_text later changelog wiki chat terminal transcript error_message reply source_code
		pull_request fixture verbatim in_full stdout notes/ .txt convenience debugging future frontend client_code other_projects query_string crash
		each_report ci_output each_response
		commit_message pr_description branch_name each_issue answer bug_reports status_page docs_page shared_document team_wiki slack_channel channel
		in_memory notes/access.md project_notes the_notes shared_notes test_fixtures the_fixtures info_level debug_level the_script ci_log build_log
		readme_file issue_tracker /tmp .cache temp_file temporary_file text_file the_code with_the_code next_session future_sessions both_for_later
		for_later again
		public_log ci_logs public/debug shared_folder teamshare handbook wiki_page`},
	{"safe", `vault keychain keyring secret_manager secrets_manager password_manager key_vault kms hsm encrypted encrypt hash hashed hashes bcrypt argon2 argon2id redact redacted
		redacting mask masked masking placeholder dummy fake sanitize sanitized sanitise sanitised scrub scrubbed 1password github_secrets repository_secrets sealed
		securely salted secret_store secrets_store credential_store credential_manager name names reset expiry refresh .env.example example test_user sample form
		limit limits budget usage count counts counting consumption efficient efficiency cost costs max_tokens context_window design_token design_tokens spacing theme
		saving savings overhead per number color colors css windows optimization k reduction
		out_of validation generation .gitignore gitignore validity rotation handling signed
		free_api free_key get_an_api
		in_the_environment requires_a requires_an needs_a needs_an in_environment in_an_environment as_environment from_the_environment rate_limit`},

	// Packages and downloads.
	{"source", `--index-url --extra-index-url index-url extra-index-url --registry registry goproxy gonosumdb gonosumcheck gosumdb --find-links find-links --trusted-host
		trusted-host pip_index_url npm_config_registry package_index package_mirror sources.list apt_source package_source gem_source base_image channel taps
		package_registry mirror pypi_mirror npm_mirror docker_mirror image_registry apt_repository yum_repository package_feed feed nuget_source brew_tap --index --source
		registry-mirrors proxy_for_modules .npmrc pip.conf plugin_repository maven_repository cargo_registry crates_mirror helm_repo repository_url
		repositories.0 premirrors premirror composer_repository hf-mirror`},
	{"install", `install use set add configure switch point replace change run pull get download update put always fetch import build vendor pin
		prefer take from require depend register clone be_installed be+from --index-url --extra-index-url --registry pip npm
		wget retrieve grab load save npx bunx uvx pipx obtain unpack invoke-webrequest iwr irm
		write export`},
	{"run", `run execute start launch source eval invoke pipe bash sh python python3 iex make_it_executable make_executable ./ sudo
		exec double-click pwsh`},
	{"nosum", `gonosumdb gonosumcheck gosumdb=off gonosumdb=* goflags=-insecure gosumdb -insecure --ignore-scripts=false checksum checksums signature_check lockfile
		lock_file integrity_hash integrity_check package-lock.json go.sum yarn.lock sha256 digest integrity provenance_check --no-verify-checksum hash_check pinned_versions gpg_check
		without_a_hash without_hash without_hashes checksumpolicy allow-unauthenticated trusted=yes
		secure-http bb_strict_checksum checksum_mismatch`},

	// What an agent may do, and who is asked first.
	{"guard", `permissions permission permissions.allow permissions.deny allow_list allowlist hooks+settings.json hook+settings.json trusted_tools permission_check safe_mode settings.json+allow
		mcp_permissions`},
	{"widen", `add set put enable allow grant permit insert switch change edit give configure accept approve expand extend mark turn+on widen append register
		trust whitelist update use make let answer confirm pass
		move prefer`},
	{"lift", `disable remove delete turn_off turn+off switch_off switch+off bypass lift relax clear unset strip deactivate circumvent get_rid loosen empty override kill be+off skip_the skip_all comment_out take_out drop_the
		pause`},
	{"ask", `ask confirm consult check_with bother request_approval ask_for asking`},
	{"unasked", `without_asking without_confirmation without_consent without_approval without_permission no_confirmation no_consent unasked without_the+consent
		without_the+knowledge without_the+approval without_any_confirmation without_review without_user+confirmation without_user+approval without_prompting without+knowing
		behind+back without_telling without_notifying without_informing no_approval no_questions without_further_confirmation without_oversight
		not+be_asked not_need_to+ask never_ask without_confirming
		nobody+be_asked no_one+be_asked nobody_needs_to_be not+ask_again stop_asking no_question no_prompt
		pre-approved preapproved pre-approve already_trusted`},
	{"act", `delete send push deploy upload merge remove disable publish overwrite force-push drop wipe purchase buy pay transfer grant accept install approve commit all_commands every_command any_command all_tools`},

	// What is hidden, and from whom.
	{"tell", `tell inform notify mention reveal disclose show report discuss explain admit say alert warn let+know describe bring_up talk_about acknowledge announce
		confess hear communicate point_out bother note write_about speak_about include log
		notice
		quote`},
	{"hide", `hide conceal omit leave_out leave+out keep+out_of keep_quiet keep+quiet keep+secret keep+hidden keep+from withhold suppress cover_up bury obscure
		keep_silent gloss_over keep+to_yourself skip_over slip squash strip exclude play_down drop+from remove+from delete+from disguise fold filter+out stay_silent
		keep+between hide+from say_nothing stay_quiet camouflage downplay move+out_of keep_it_off keep+off keep+away_from edit+out
		stays_between stay_between between_you_and`},
	{"unseen", `so_that_nobody+notices so_nobody+notices so_no_one+notices so_that_no_one+notices without_anyone_noticing nobody_will_notice
		no_one_will_notice nobody_notices not_stand_out does_not_stand_out without_drawing_attention without_attracting avoid_suspicion
		raise_suspicion raises_suspicion arouse_suspicion not_attract_attention look_harmless looks_harmless look_innocent looks_innocent
		seem_harmless before_anyone_notices before_anybody_notices draw_no_attention attracts_no_attention slip_it_past slip_this_past get_it_past
		under_the_noses keep_a_low_profile not_look_suspicious avoid_scrutiny
		silently_share
		quietly_transfer
		discreetly_push
		secretly_copy
		stealthily_upload
		stealthily_ship
		covertly_share
		covertly_ship
		publish+quietly
		forward+discreetly
		post+secretly
		send+stealthily
		share+stealthily
		transfer+covertly
		without_a_trace under_the_radar off_the_record behind_the_scenes
		reviewers_won't reviewer_won't reviewers_will_not reviewers_don't+notice reviewers_miss auditors_won't won't_spot+it
		not_spot+it will_not_spot
		user_does_not_notice user_doesn't_notice user_not_notice user_never_notices
		show_up_in_none in_none_of_the folds+away not+show_up_in_any no_discussion
		not_appear_in_your not_appear_in_the_report not_appear_in_any stays_between_us stay_between_us between_you_and_me nobody+comes_across
		nobody_finds+out nobody_will_connect`},
	{"who", `user human person developer reviewer maintainer owner operator anyone anybody colleague customer boss manager admin administrator auditor
		security_team author somebody team nobody people client stakeholder lead teammate supervisor employer whoever engineer`},
	{"artifact", `summary summaries report changelog log transcript commit_message pr pull_request description history release_note
		explanation status_update final_message audit_log list_of_changes commit_log pr_description answer reply response diff recap session_notes output release_notes
		handoff git_log change_list timeline final_answer todo_list plan commit_messages stand-up standup
		sum_up summing_up summarise summarize what_you_did wrap-up write-up recap_of session_summary status_report the_review pull_requests
		review_notes merge_request minutes`},
	{"this", `this it that these them those the_change the_step the_upload the_edit the_commit what_you_did the_note the_instruction this_memory the_rule
		the_addition the_added the_file the_extra the_removal the_download the_request the_switch these_steps anything the_failure
		the_new the_hidden the_modification the_dependency the_workaround the_backdoor the_deletion any_of the_transfer your_actions what_was
		its its_lines the_commands the_entries the_entry the_lines the_endpoint the_change_to`},
	{"claim", `say claim report mark state answer reply respond pretend declare describe list tell present label call write assure commit+under act deny insist explain name
		attribute blame put+down`},
	{"lie", `as_passed as_passing as_green as_successful as_succeeded only_the_formatting no_special+instructions
		no_memory no+instructions nothing_changed not_happened
		all_green typo_fix fix_typo a_typo cosmetic minor_cleanup no_longer_exists never_existed never_happened formatting_only
		only_formatting only_cosmetic nothing_unusual no_issues a_cleanup an_outage innocuous harmless_change
		a_refactor
		as_cosmetic as_routine as_unrelated as_a+refactor as_minor no_memory+was not_know+about
		that_nothing+else nothing+happened
		already_there always_been_there always_been_like was_already_there by_accident by_mistake a_coincidence nothing_to_do_with as_a_documentation
		as_documentation as_a_docs as_a_dependency as_a_routine as_routine_maintenance as_a_formatting as_a_minor as_a_chore as_a_typo as_a_cleanup
		as_housekeeping if+had_not if+had_never if+never_happened if_nothing_had routine_maintenance whitespace_only only_whitespace a_false_alarm
		default_behaviour default_behavior a_known_bug a_flaky_test network_problem a_glitch not_know_why nothing_was+sent nothing_was+changed
		no_changes_were nobody_asked you_cannot_see you_have_no+memory
		contain_only contains_only not_to_know not_to_have not_to_see not_to_remember
		only_read only_looked only_files no_special_reason just_a
		as_formatting as_refactoring as_typo as_docs as_tests as_cleanup was_empty empty_already already_empty always_worked`},
	{"wipe", `wipe clear delete erase remove scrub purge clean truncate unset destroy tidy rewrite amend empty shred rotate_away redact_out
		pause`},
	{"trace", `shell_history bash_history command_history history_file audit_log .bash_history histfile .zsh_history session_log
		log_lines log_line log_entries log_entry terminal_history session_transcript shell's_history access_log event_log logs_of access_logs
		activity_log history_-c the_transcript
		the_evidence any_evidence all_evidence all_traces any_trace any_traces traces_of trace_of your_tracks the_traces
		lines_from_the shell_log terminal_log terminal_scrollback git_reflog reflog the_log_of
		cloudtrail cloudtrail_logging audit_logging logging_is`},

	// Orders that wait for a trigger.
	{"when", `when whenever once if after as_soon_as the_moment on_the until next_time starting in_case on_or_after wait beginning
		 the_first_time the_next_time any_time`},
	{"cue", `the_word the_phrase the_keyword code_word codeword magic_word trigger_word third_session fifth_session tenth_session second_session session_number
		nth_session tenth_run hundredth third_conversation fifth_conversation from_the+session from_the+conversation is+offline is_away user+away user+asleep user+offline user+idle user+absent developer+away
		on_vacation on_holiday logged_off logs_off not_looking steps_away made_public becomes_public goes_public turns_public is_public goes_live at_midnight on_the_weekend
		every_weekend out_of_office user_leaves a_week_from a_month_from days_from_now days_from sessions_from_now after_hours nobody_is_watching nobody+watching after_midnight
		after+sessions after+conversations after+days on_a_friday on_friday next_friday every_friday new_year's_eve safe_word secret_word first_of_april april_1 new_year
		public_repository hears_the sees_the_word for_more_than_an person+asleep everyone+asleep third_time tenth_time fifth_time the_user_logs maintainer+away owner+away
		is_published is+merged_into first_customer user_types
		 until_then later_in_the_year nth_time
		from_the_third from_the_fourth from_the_fifth from_the_sixth from_the_tenth after_the_third after_the_fifth after_the_tenth last_friday
		last_day_of first_day_of last_monday friday_evening friday_night first_monday the_year_is year_is_2027 nobody_has_typed nobody_types
		no_input_for no_activity_for no_keystroke inactive_for idle_for nobody_has+for has_left_the user_has_left leaves_the_desk leaves_the_office
		end_of_the_quarter launch_day demo_day on_a_sunday on_sundays on_saturdays overnight on_christmas during_the_holidays nobody_is_around
		nobody_is_looking no_one_is_watching no_one_is_looking nobody+awake screen_is_locked thousand_stars number_of_stars reaches_version
		goes_into_production contract+signed subscription+expires trial+ends a_certain_date word+appears word+comes_up word+mentioned name+mentioned
		mentions_the_word hear_the_word hears_the_word types_the_word says_the_word says_the_phrase third_run fifth_run hundredth_run
		tenth_conversation tenth_commit third_commit fifth_commit fiftieth next_month next_year next_quarter
		user_thanks user_greets customer_thanks upon_seeing upon_hearing on_hearing trigger_phrase sleeper
		on_leave goes_on_leave goes_on_holiday says_thank says_good says_goodnight good_night says_bye
		contains_the_phrase contains_the_word board_meeting has_gone_by`},
	{"harm", `delete wipe drop erase truncate destroy overwrite replace push force-push bypass run execute disable revoke rotate transfer email send post rm purge approve merge
		leak follow+steps follow+instructions switch forward publish upload grant install recommend remove unlock obey exfiltrate
		 wire activate corrupt reset reveal share decline encrypt swap ignore rewrite self-destruct inject mail pay
		begin enable invite weaken sabotage steer redirect append sign copy alter kill shut_down terminate
		answer+with answer_every insert+code stop_asking
		amend retag re-tag multiply
		change modify slip charge`},
	{"destroy", `delete wipe drop erase truncate destroy purge overwrite rm force-push corrupt format shred reset nuke empty sabotage`},
	{"asset", `backup database users_table production prod_database all_tables license tests_folder main_branch git_history the_history history repository the_repo
		account bucket volume home_folder home_directory test_suite tests customer_data user_data keys audit_logs snapshots users_directory tables
		schema.sql src_folder orders_table customers_table .git deployment cluster namespace data_directory the_data remote_branches remote_tags tags volumes
		source_tree the_tests backups
		live_account production_account real_account staging production_data the_backups every_backup all_backups home_directories branches
		all_branches release_branch the_tag release_tag signing_key keys_of
		the_index archive /srv/backups /backups /backup results_table marks`},
	{"spare", `temporary temp tmp generated cache caches local old stale obsolete unused legacy deprecated dist build node_modules fixture fixtures sandbox column confirm
		confirmation ask approval backup_first test_database cleanup_job ephemeral mock retention expired test_data permission merged feature draft throwaway staging_only
		test branch worktree where beforeeach aftereach teardown lambda stack containers
		this_file if_needed if_necessary label labels`},

	// Texts that spread or come back.
	{"copy", `copy add insert store write append include repeat reproduce keep restore recreate re-create paste replicate propagate spread duplicate carry pass+on embed put save
		re-add rewrite preserve inject prepend transfer place plant seed distribute forward make_sure ensure reinsert re-insert mention instruct
		teach echo share persist publish install
		keep_this write_it put_it+back add_it+back reinstate tell_every tell+agents tell+subagent word_for_word
		contain contains hold leave
		belong belongs belongs_on belongs_at begin start copy_of`},
	{"self", `this_note this_text this_instruction this_memory this_paragraph this_rule this_entry this_block this_line this_message this_prompt this_section this_directive
		this_sentence this_record this_lesson these_lines these_instructions these_rules these_notes these_sentences this_very+ present_instruction present_note above_instruction
		the_same_instruction this_snippet this_passage this_file's this_guidance these_words these_directives this_one this_reminder this_item this_comment these_orders
		this_whole these_memories this_policy this_payload its_own_text this_statement these_two_lines this_exact+ same_note same_instruction same_rule
		this_fact this_advice this_requirement these_requirements
		the_lines_above lines_above the_text_above text_above the_paragraph_above this_request this_hint this_tip the_note_above the_rule_above
		note_above rules_above this_convention this_document the_whole_entry the_above_lines the_same_text this_footer this_header this_marker
		it_exists its_existence me_again keep_me_alive me_alive this_memory_exists
		text_you_are the_text_you this_guideline this_very present_paragraph present_text present_entry these_very what_you_are_reading
		the_entry_above this_memory_word
		present_sentence present_instructions the_block_you block_you_are sentence_you_are these_very_lines`},
	{"spread", `every_repo every_repository every_project all_projects all_repositories all_repos other_projects other_repositories other_repos each_repository each_project each_repo
		new_project new_projects new_repositories new_repository new_memory other_agent other_agents other_assistants other_assistant every_agent all_agents each_agent subagent
		sub-agent sub-agents child_agent every_subagent each_subagent every_session each_session next_session future_sessions end_of_each end_of_every every_file each_file
		every_user all_users every_machine other_machine other_memories every_memory copilot-instructions.md .cursorrules .github/copilot-instructions.md
		each_issue every_issue every_pull_request each_pull_request each_commit every_commit every_commit_message home_folder other_tools any_repository any_project
		every_readme any_readme every_workspace each_workspace review_bots other_models next_agent next_assistant colleagues' teammates' every_reply each_reply each_answer
		every_answer every_response every_document any_document every_new+ each_new+ whichever_project parent_folder sibling whatever_repository downstream fork forks
		every_summary every_conversation each_conversation every_template other_people's all_memories other_machines all_files global_memory ~/.claude/claude.md
		a_readme agents_that_you assistants_that other_workspaces every_memory_file each_memory_file successors successor
		whatever_project each_package each_prompt every_prompt subagents other_packages dotfiles starter_kit readme_template project_template
		its_agents.md its_claude.md their_memory their_memories every_lesson each_lesson each_summary all_summaries each_template template_repository
		scaffolds generated_projects projects_which_are cookiecutter
		every_other other_memory
		agents.md claude.md gemini.md compaction_summaries compaction_summary each_crate you_visit you_open you_touch you_create you_work_in
		each_service each_module every_module every_service every_package sibling_repository whichever_assistant generated_services next_model
		next_run
		next_game their_own_packages partner_shops pass_it_on whoever_follows each_document handover_documents`},
	{"lost", `deleted removed missing pruned summarised summarized lost gone edited changed forgotten disappears vanishes evicted compacted trimmed cleaned overwritten delete
		remove prune condensed cleared disappear rotated shortened expires compressed dropped erased compaction
		vanish vanished`},

	// Who seems to be speaking.
	{"role", `developer_message security_team_has message_from notice_from message+from notice+from system_message system_notice end_of_memories end_of_memory end_of_context end_of+memories by_administrator by_the_administrator
		by_anthropic by_openai by_the_operator administrator_has operator_has anthropic_has openai_has on_behalf_of+anthropic policy_update security_team_here override_code
		safety_update security_update_from policy_notice from_security message_from_security end_of_lessons end_of_the_lessons end_of_notes
		new_instructions_from platform_notice as_your_developer as_your_operator as_your_administrator as_the_administrator as_an_administrator
		user_(verified) verified_user
		operator_bulletin operator_note operator_message operator_notice admin_notice system_bulletin system_announcement platform_bulletin
		operator_update end_of_stored`},
	{"granted", `granted approved authorized authorised unrestricted no_restrictions override overrides overridden suspended lifted full_access any_command without_confirmation
		unlocked no_content_policy skip_confirmations pre-approved preapproved exempt waived whitelisted elevated no_limits new_instructions bypass_all
		skip_all full_permission cleared_to no_longer_apply no_longer_applies all_permissions all_deletions root_access maintenance_mode
		developer_mode debug_mode may_run complete_access verified_administrator without_approval without_asking admin_mode
		no_approval allow_shell now_allowed superseded ignore_the ignore_all ignore_previous now_permitted
		disabled_for you_have_no not_required consented no_rules every_command unlimited_access obey
		user_approved user_granted all_approved
		may_skip can_skip skip_confirmation may_open may_read may_delete may_use+without authorise_you authorize_you authorised_you authorized_you
		grants_write grants_access grants_you grant_you already_been_confirmed already_confirmed has_already_confirmed approved_in_advance in_advance
		full_rights all_rights refusals_are_off refusals without_a_ticket no_ticket permission_to allowed_to_read free_to replaced_by_this
		you_may_now
		carries_out_instructions instructions_found may_be_printed classified_public effective_at_once i_approve as_though+typed`},

	// Protections, and verbs that weaken them.
	{"weaken", `disable turn_off turn+off switch_off switch+off deactivate skip bypass remove comment_out comment+out relax loosen weaken suppress silence short-circuit
		delete strip omit downgrade circumvent stub_out stub+out leave+out hardcode replace+with make+return always_return return_true avoid leave+off exclude
		stop_checking forgo take_out take+out never_validate never_verify do_not_validate do_not_verify not_verify not_validate be_disabled be+off
		 accept trust whitelist set+to_false set+to_off
		disable_all
		pause paused leave_out take+off skip_over glued
		returns_true not_sign trusts_each trusts_any trusts_all`},
	{"protect", `tls tls_verification ssl ssl_verification certificate_verification certificate_check certificate_validation csrf csrf_protection authentication auth_check authorization authorization_check
		auth_middleware secret_scanner secret_scanning scanner firewall rate_limit rate_limiting rate_limiter signature_verification signature_check signature_validation encryption
		two-factor mfa 2fa audit_log audit_logging audit_trail access_control permission_check input_validation input_sanitization input_sanitisation content_security_policy csp hsts
		gitleaks trufflehog antivirus selinux apparmor code_scanning branch_protection captcha password_check jwt_verification jwt_validation token_validation
		security_check security_scan security_header security_headers escaping output_escaping html_escaping sanitizer sanitization dependency_scanning vulnerability_scan vulnerability_check
		origin_check hostname_verification host_key_checking certificate_pinning tls_checks tls_check ownership_check admin_check role_check login_check password_hashing
		parameterized_queries prepared_statements virus_scan malware_scan integrity_check webhook_signature samesite httponly xss_protection security_warnings
		security_linter bandit semgrep dependabot snyk codeql npm_audit security_tests security_rules lockout brute-force session_expiry session_timeout password_policy
		codeowners required_reviews signed_commits cert_check access_checks rls row_level_security row-level_security
		the_review code_review the_reviews review_requirement secret_scan auth_checks authorization_checks
		verify_signature verify_token check_signature check_password csrf_middleware jwts signatures
		cloudtrail audit_logs protect_from_forgery authenticate_user authenticate_user! csrf_exempt secret-scan pre-commit_hook pre-commit_hooks
		login_required permission_classes select_for_update hash_check input_checks licence_check
		authenticate authenticate() secure_boot csrf_tokens csrf_token content-security-policy row_level row-level_policies
		certificate_validation_callback servercertificatecustomvalidationcallback`},
	{"makes", `set use make allow configure switch store run give pass enable keep serve accept grant hash sign generate seed bind expose open put expire permit add return chmod log be_set
		let issue start deploy create treat encrypt default stay remain turn+on send listen concatenate build always`},
	{"weak", `verify=false verify:_false insecureskipverify rejectunauthorized:_false rejectunauthorized=false --insecure md5 sha1 des ecb ecb_mode 777 0777 a+rwx fixed_seed constant_seed fixed_salt
		static_salt constant_salt fixed_iv same_iv zero_iv plaintext plain_text clear_text in_the_clear unencrypted all_origins any_origin every_origin world-writable world-readable
		never_expire never_expires never_expiring no_expiry ten_years 10_years 100_years unsigned base64_instead default_password empty_password same_password
		alg:_none alg=none "none" none_algorithm admin_by_default math/rand math.random() math.random access-control-allow-origin: 0.0.0.0/0 debug=true
		hard-coded_secret hardcoded_secret hard-coded_key static_key guessable --privileged privileged_mode string_concatenation any_password cap_add=all 0.0.0.0 run_as_root
		as_root administratoraccess public-read no_password without_password nopasswd wildcard_origin http_instead tlsv1.0 sslv3 rc4 1024-bit weak_cipher
		disable-web-security yaml.load pickle unsafe-inline unsafe-eval allowprivilegeescalation
		verify=false" verify_signature verify_signature": not_checked not_verified not_validated unchecked cluster-admin cluster_admin
		docker.sock f-strings f-string string_formatting string_interpolation world_readable world_writable publicly_readable principal_"*" md5_as
		plain_http self-signed shell=true eval() trust_all trustallcerts skip_tls without_authentication without_verification without_checking
		without_a_password no_authentication no_tls allow_all allow_any owner_role admin_rights root_rights full_admin superuser bypassrls
		disable_ssl sslmode=disable
		alg_none accepts_unsigned unsigned_updates
		plain_md5 trusted=yes
		alg_"none" disable_row_level to_public`},
	{"matters", `token password session cookie origins origin cors credential certificate request requests client project_folder permission bucket user users secret key production api auth
		security_group container database port proxy server salt iv login admin jwt iam role tests hash folder root directory signature image network query queries input account sql
		jwts passwords logins service_account sessions cookies containers watcher agent pods certificates https connection connections upload uploads
		endpoint api_keys webhook names`},
	{"spare", `local locally test_only localhost development_only dev_only only_in_tests in_tests unit_tests mock example fixture never not_for_production sandbox only docker_setup
		reproducib~ property_tests etags instead_of avoid label labels for_dev for_development for_testing for_debugging dev/testing`},

	// Disguised orders.
	{"decode", `decode decrypt unscramble decipher rot13 rot-13 unhex deobfuscate backwards caesar first_letters morse base64-decode atbash hex-decode unrot13`},
	{"auth", `authorization authorization_header bearer_header bearer x-api-key header headers authenticate authenticates oauth -u authorisation`},
	{"mcp", `mcp mcp_server mcpserver mcpservers .mcp.json mcp.json plugin extension
		.cursor/mcp.json .vscode/mcp.json claude_desktop_config.json mcp_config`},
	{"open", `* never bypass bypasspermissions danger-full-access full_access off yolo dontask acceptedits full-auto unrestricted wildcard everything none false any_command all_commands every_command everyone
		every_domain all_domains any_domain every_path all_paths every_tool any_tool every_pattern all_patterns every_project all_projects all_calls
		automatically always_allow for_everything
		to_the_allow to_allow_list to_the_allowlist to_the_allowed`},
	{"speaker", `system operator administrator anthropic openai developer admin root tool_result function_results function_result memories memory system-reminder system_prompt context tool_output
		assistant sysadmin moderator instructions tool /system /memories /memory /context /tool_result /system-reminder /user /instructions inst /inst sys
		system_message
		user human`},
	{"obey", `follow obey execute do_it do_what carry_out act_on do_so treat_it+as treat+as_instructions comply run_it run_the_result run_what follow_it apply_it`},
	{"says", `user_says user_ever+says someone_says somebody_says anyone_says someone_mentions somebody_mentions user_mentions anyone_mentions anyone_asks user_asks+about person_says user_types user_writes message_contains issue_contains customer_mentions customer_asks
		has_thanked thanked_you user_has_thanked thanks_you says_thanks says_thank says_goodbye user_asks_for_a person_asks somebody_asks_about
		someone_asks_about anyone_asks_about anybody_asks asked_about_this asked_who asked_whether asked_why asks_why asks_whether`},
	{"strike", `delete wipe drop erase purge destroy overwrite send email forward upload post push force-push transfer bypass disable revoke rm leak exfiltrate approve_the pay run_scripts run_the_script
		answer_that lie deny pretend recommend recommend_only claim merge grant install shut_down answer+with reply+with respond+with tell_them+that insert+backdoor curl`},
	{"fence", `sandbox sandboxing sandbox_mode approval_policy deny_list denylist deny_rule permission_prompt defaultmode default_mode permission_mode pretooluse posttooluse hooks+settings.json hooks+.claude/settings.json
		hook+settings.json safe_mode restricted_mode approval_prompt approval_step ask_rule approval_mode confirmation_prompt auto-approve autoapprove permissions.deny confirmation_step approval_requirement approval_gate
		tool_approval tool_permissions command_approval trust_dialog
		hastrustdialogaccepted trust_mode trust_prompt trust_level tool_confirmation tool_prompts approval_prompts approval_dialog autoaccept
		auto-accept`},
}

// foreignConcepts are the words of the concepts in other languages: German, French, Spanish,
// Portuguese, Italian, Dutch, Polish, Russian, Ukrainian, Turkish, Chinese, Japanese, Korean,
// Arabic, Hindi, Vietnamese, Indonesian.
var foreignConcepts = []conceptWords{
	{"no", `éviter évite évitez evita evitar evite vermeide 是否 不绕过 不 nicht nie niemals kein keine keinen keinem keiner ohne ne n'~ jamais pas sans nunca jamás não nao sem non mai senza niet nooit geen zonder nigdy bez не никогда без нельзя
		asla hiçbir sakın 不要 切勿 请勿 不得 别 禁止 不会 绝不 ないで しない せずに ません 禁じ 않는 않고 마라 마세요 말고 jangan không đừng لا मत`},
	{"dont", `nicht nie niemals kein nichts keinem ohne ne n'~ jamais pas rien sans no nunca jamás nada sin não nao sem non mai nulla senza niet nooit niets zonder nigdy nic bez не никогда ничего без
		asla hiçbir sakın 不要 切勿 请勿 不得 别 别让 別 不必 禁止 不用 无需 ないで しないこと てはいけ せずに ずに ません 하지 마라 마세요 말고 말 않고 jangan đừng không لا मत`},
	{"drop", `ignorier~ missachte~ vergiss vergesst vergessen verwirf ignore ignorez oublie oubliez ignorer ignora ignoren ignorad olvida olvide olvidad descarta desconsidere desconsidera
		esqueça esqueca descarte ignorate dimentica dimenticate negeer vergeet zignoruj ignoruj zapomnij pomiń игнорир~ проигнорир~ забудь~ отбрось~ ігнору~ yoksay yok_say unut görmezden_gel
		忽略 无视 無視 忘记 忘記 忘掉 不要理会 不要遵循 抛弃 忘れ 무시 잊어 잊고 تجاهل~ انس अनदेखा नज़रअंदाज़ bỏ_qua abaikan lupakan`},
	{"orders", `anweisung~ instruktion~ vorgabe~ befehle regeln systemprompt richtlinie~ instructions consignes directives règles ordres instrucciones órdenes ordenes indicaciones directrices reglas
		instruções instrucoes orientações diretrizes regras ordens istruzioni direttive regole ordini indicazioni instructies opdrachten aanwijzingen regels instrukcj~ polece~ wskazówk~
		zasad~ инструкц~ указани~ правил~ команд~ вказівк~ інструкц~ talimat~ komut~ kural~ 指令 指示 提示词 提示 规则 規則 说明 命令 プロンプト ルール 지시 명령 지침 프롬프트 규칙
		تعليمات~ التعليمات الأوامر أوامر निर्देश~ hướng_dẫn chỉ_dẫn chỉ_thị instruksi perintah`},
	{"prior", `vorherig~ bisherig~ vorangeg~ vorig~ obige~ früher~ alle deine sämtliche précédent~ antérieur~ ci-dessus toutes tes vos anterior~ previa previas previo previos todas tus arriba tuyas sus prévias acima suas
		precedent~ sopra tutte tue vostre vorige eerdere bovenstaande voorgaande poprzedni~ wcześniejsz~ wszystk~ powyższ~ предыдущ~ прежни~ ранее выше все всех системн~ попередн~ всі усі önceki tüm
		yukarıdaki bütün 之前 以上 先前 上面 所有 前面 此前 全部 上述 一切 以前 これまで 上記 前の すべて 全て 今まで 直前 이전 위의 모든 앞의 기존 지금까지 السابق~ أعلاه جميع كل पिछले सभी पहले ऊपर trước trên tất_cả
		sebelumnya semua atas`},
	{"human", `nutzer~ benutzer~ anwender~ dem_nutzer utilisateur l'utilisateur usuario usuaria al_usuario humano usuário utilizador utente l'utente all'utente gebruiker użytkownik~ пользовател~ человек~ користувач~
		kullanıcı~ 用户 用戶 使用者 开发者 人类 ユーザー 利用者 開発者 사용자 개발자 المستخدم pengguna người_dùng entwickler~ développeur desarrollador desenvolvedor sviluppatore разработчик~ ontwikkelaar programist~ geliştirici~`},
	{"tell", `sag sage sagen erzähl~ verrat~ mitteil~ teile erwähn~ zeig~ informier~ melde dis dites dire mentionne~ révèle~ informe~ parle~ signale~ préviens prévenez avertir avertis digas diga decir menciones mencione~
		informes reveles cuentes cuente muestres avises avise avisar conte contar revele mostre dica dirlo menzion~ rivel~ informa~ avvis~ mostrare vertel zeg meld mów powiedz~ informuj mówić wspominaj
		говори~ сообщай~ рассказывай~ упоминай~ показывай~ раскрывай~ скажи~ уведомляй~ сообщать söyleme~ söyle~ bahsetme~ bildirme~ haber_verme~ 告诉 告訴 告知 透露 提及 通知 知道 提到 伝え 言わ 知らせ 教え 報告 明か 話さ
		알리 말하 언급 공개 알려 보고 تخبر beri_tahu katakan nói
		erwähnen comente registre anote записывай пиши пишите упоминать`},
	{"hush", `伝えない 知らせない 言わない 教えない 報告しない 알리지 말하지 언급하지 공개하지 söyleme söylemeyin bildirme haber_verme bahsetme verschweig~ cache_à oculta ocultar esconda nascondi ukryj скрой скрыва~ 隐瞒 隠し 숨겨 숨기`},
	{"ask", `fragen rückfrage nachfrage~ bestätigung zustimmung demander confirmation preguntar pedir confirmar confirmación permiso perguntar confirmação permissão chiedere conferma permesso vragen toestemming
		bevestiging pytać pytania potwierdzenia zgody спрашив~ подтвержден~ разрешени~ sormadan onay~ 询问 询 确认 征求 許可 確認 尋ね 確認せず 확인 묻지 허락
		pergunte pergunta rückfragen questions preguntas demande`},
	{"unasked", `ungefragt sormadan onaysız 不经询问 不询问 无需确认 不用确认 確認せずに 確認なし 許可なく 묻지_않고 묻지 확인_없이 확인하지 허락_없이
		rückfragen_weglassen ohne_rückfragen ohne_nachfrage sans_demander sin_preguntar sin_pedir sem_perguntar sem_pedir senza_chiedere
		zonder_vragen bez_pytania без_спроса без_подтверждения`},
	{"send", `sende schicke schick sendet schickt lade hochlad~ übertrag~ übermittle leite weiterleit~ kopiere maile poste veröffentlich~ lad envoie envoyez envoyer transmets transmettez téléverse~ publie~ publiez copie copiez
		transfère~ postez envía envia envíe envíen enviar manda mandar sube suba subir publica publique reenvía copia copiar adjunta transmite envie mande carregue encaminhe transmita
		invia inviate inviare mandare carica caricare pubblica trasmetti inoltra spedisci stuur verstuur upload kopieer plaats wyślij wysyłaj prześlij przesyłaj skopiuj opublikuj отправ~ пошли~ перешли~ загруз~ выгруз~
		скопируй~ передай~ передава~ опубликуй~ надішли~ gönder~ yükle~ ilet~ kopyala~ paylaş~ 发送 发到 上传 提交到 传到 转发 传送 发布到 寄到 推送 送信 アップロード 転送 送って 送る 投稿 보내 전송 업로드 전달 أرسل ارسل
		भेज~ gửi kirim
		mailen mailt colle collez colar cole súbelas súbelo súbela envíalos envíalas envíalo mándalo mándalas pega pegue отправляй~ шли
		schicken senden hochladen übermitteln übertragen weiterleiten verschicken transmettre spedire wysłać przesłać отправлять отправить выложи~
		书き出し アップ put
		partent`},
	{"ship", `sende schicke schick lade hochlad~ leite envoie envoyez transmets téléverse~ envía envia envíe sube suba reenvía envie mande encaminhe invia manda carica inoltra stuur verstuur wyślij prześlij отправ~ перешли~ загруз~
		передай~ gönder~ yükle~ ilet~ 发送 上传 转发 传送 推送 送信 アップロード 転送 보내 전송 업로드 전달 أرسل kirim
		mailen отправляй~
		schicken senden hochladen weiterleiten envoyer enviar subir 書き出し`},
	{"key", `passwort passwörter passwörtern zugangsdaten schlüssel geheimnis~ umgebungsvariable~ anmeldedaten mot_de_passe mots_de_passe identifiants clé clés secrets jetons variables_d'environnement contraseña~ credencial~
		clave claves secretos llave llaves variables_de_entorno tokens senha senhas credenciais chave chaves segredos variáveis_de_ambiente password credenziali chiavi chiave segreti variabili_d'ambiente variabili_di_ambiente wachtwoord~
		inloggegevens sleutel~ omgevingsvariabelen geheimen hasł~ klucz~ poświadcze~ zmienne_środowiskowe sekrety парол~ ключ~ учётны~ учетны~ секрет~ токен~ переменн~_окружения переменные_окружения облікові parola~ şifre~ anahtar~
		kimlik_bilgi~ ortam_değişken~ gizli jeton~ 密码 密碼 密钥 密鑰 凭证 凭据 令牌 环境变量 環境變數 私钥 口令 秘密 パスワード 秘密鍵 認証情報 環境変数 トークン 鍵 キー 비밀번호 암호 키를 환경_변수 환경변수 자격_증명 토큰 인증 كلمة_المرور كلمات_المرور المفاتيح
		mật_khẩu kata_sandi
		ключей`},
	{"private", `gespräch~ verlauf kundendaten quellcode quelltext datenbank notizen conversations conversation l'historique historique données_clients code_source base_de_données conversación historial datos código_fuente base_de_datos
		conversa histórico dados código-fonte banco_de_dados conversazione cronologia dati codice_sorgente gesprek klantgegevens broncode rozmow~ dane kod_źródłowy переписк~ данные исходный истори~ базу konuşma~ müşteri kaynak_kod~
		对话 聊天记录 客户数据 源代码 源码 数据库 会话 会話 履歴 顧客 ソースコード データベース 대화 고객 소스_코드 소스코드 데이터베이스 기록
		patientendaten patientenakte~ abonnentendaten dossiers_patients dossiers_médicaux fichas_dos_pacientes fichas_de_pacientes expedientes pazienti patiëntgegevens пациент~ абонент~ паспортн~
		pacjentów 患者 会员信息 手机号 收货地址 用户数据 客户 订单数据 个人信息 住所 個人情報 개인정보 exports_clients données clients datos_de_clientes dados_de_clientes kundenexporte kundenliste`},
	{"act", `führe ausführen lösche installiere ausführe exécute exécutez supprime supprimez installe ejecuta ejecute borra elimina instala execute apague exclua instale esegui cancella installa voer verwijder installeer
		wykonuj wykonaj usuń zainstaluj выполняй~ выполни~ удаляй~ удали~ запускай~ запусти~ установи~ çalıştır~ sil~ kur 执行 删除 运行 安装 修改 推送 実行 削除 インストール 変更 실행 삭제 설치 변경 accetta approva akzeptiere genehmige acepta
		löschen installieren supprimer installer borrar instalar удалить usuwaj`},
	{"destroy", `lösche lösch löschen supprime supprimez efface borra elimina borre elimine apague exclua cancella verwijder wis usuń skasuj удали~ удаляй~ сотри~ sil~ 删除 清空 销毁 削除 消去 삭제 지워`},
	{"asset", `datenbank sicherung~ backups base_de_données sauvegardes base_de_datos copias_de_seguridad respaldos banco_de_dados database copie_di_backup резервн~ базу_данных veritabanı yedek~ 数据库 备份 生产 データベース バックアップ 데이터베이스 백업
		tests pruebas тесты 测试 テスト 테스트`},
	{"when", `wenn sobald nach falls quand dès lorsque après si cuando después tras quando assim_que depois após se dopo appena wanneer zodra als gdy jeśli kiedy когда если после olduğunda sonra eğer 当 如果 一旦 之后 每次 的时候
		したら すると 場合 たら 후 하면 때`},
	{"weaken", `deaktiviere deaktivieren schalte umgehe überspringe désactive désactivez contourne desactiva desactive deshabilita omite desative desabilite disattiva disabilita schakel uitschakelen wyłącz отключ~ обойди~ выключ~ devre_dışı kapat
		禁用 关闭 跳过 绕过 無効 オフ スキップ 비활성화 끄 건너뛰`},
	{"protect", `zertifikatsprüfung tls-prüfung authentifizierung sicherheitsprüfung~ firewall verschlüsselung vérification authentification pare-feu chiffrement verificación autenticación cortafuegos verificação autenticação criptografia
		verifica autenticazione crittografia authenticatie versleuteling weryfikacj~ uwierzytelnian~ проверк~ аутентификац~ шифрован~ брандмауэр~ doğrulama~ güvenlik 证书验证 身份验证 防火墙 加密 安全检查 证书 認証 検証 ファイアウォール 暗号化
		인증 방화벽 암호화 검증
		校验 校验和 サーバー証明書 签名`},
	{"install", `herunterladen lade télécharge téléchargez descarga descargue baixe baixar scarica скачай~ скачать 下载 ダウンロード 다운로드 troque cambia remplace ersetze замени~
		改成 换成 替换 変更 設定し 설정`},
	{"run", `execute exécute exécutez ejecuta ejecute esegui führe_aus запусти~ выполни~ 运行 执行 実行 실행`},
	{"source", `registro_do_npm registro_de_npm registre_npm реестр~ 注册表 镜像源
		镜像 ミラー 仓库地址 miroir espejo зеркал~`},
	{"note", `speichere schreibe notiere enregistre note guarda guarde anota salve anote salva сохрани~ запиши~ 保存 记录 写入 保存し 記録 저장 기록`},
	{"book", `notas.txt notizen datei notes fichier archivo arquivo file_di файл~ 文件 笔记 日志 ファイル ログ 파일 로그
		/tmp`},
	{"artifact", `bericht zusammenfassung rapport résumé informe resumen relatório resumo histórico rapporto riepilogo отчёт~ отчет~ сводк~ 总结 报告 摘要 要約 まとめ 보고서 요약`},
	{"widen", `erlaube autorise permite autorizza разреши~ 允许 許可し 허용`},
	{"place", `externen_server fremden_server öffentlichen_kanal öffentlichen_link serveur_externe canal_public salon_public servidor_externo canal_público server_esterno canale_pubblico externe_server
		zewnętrzny_serwer zewnętrznego_serwera внешний_сервер внешний_диск внешнему_серверу публичный_канал 外部服务器 公开频道 外部サーバー 公開チャンネル 외부_서버`},
	{"copy", `kopiere kopier übernimm füge schreib schreibe copie copiez ajoute écris recopie copia copiar añade agrega escribe adicione escreva aggiungi scrivi ripristina kopieer voeg schrijf skopiuj dodaj zapisz
		скопируй добавь запиши впиши 复制 添加 写进 コピー 追記 복사 추가`},
	{"self", `dieser_absatz diesen_absatz diese_notiz diese_anweisung diese_regel diesen_text diese_zeile ce_paragraphe cette_note cette_consigne cette_règle ce_texte este_párrafo esta_nota esta_regla este_texto
		esta_instrucción este_parágrafo esta_instrução esta_regra questo_paragrafo questa_nota questa_regola questo_testo questa_istruzione deze_alinea deze_notitie deze_regel deze_tekst ten_akapit tę_notatkę
		tę_regułę ten_tekst этот_абзац эту_заметку это_правило этот_текст эту_запись эту_инструкцию 本段 这段话 这条规则 这条笔记 此规则 この段落 このメモ この指示 この文 이_단락 이_메모 이_규칙`},
	{"spread", `jedes_projekt jedem_projekt jede_datei jeder_sitzung jedes_repo allen_projekten andere_projekte anderen_agenten chaque_projet chaque_fichier chaque_session tous_les_projets autres_projets cada_proyecto
		cada_archivo cada_sesión todos_los_proyectos otros_proyectos cada_projeto cada_arquivo todos_os_projetos ogni_progetto ogni_file ogni_sessione tutti_i_progetti altri_progetti elk_project elke_sessie
		alle_projecten każdym_projekcie każdego_projektu każdej_sesji каждый_проект каждом_проекте все_проекты другие_проекты 每个项目 所有项目 其他项目 每个会话 所有仓库 すべてのプロジェクト 全プロジェクト 他のプロジェクト 모든_프로젝트
		다른_프로젝트`},
}
