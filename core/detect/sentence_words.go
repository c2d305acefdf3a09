package detect

// What a sentence rule needs: kinds of words, and shapes such as a foreign address or the place of a secret.
const (
	negation conceptSet = 1 << iota
	sending
	sent // forms that are no order in English, and any form in other languages
	secret
	private
	place
	origin // a place after "from"
	filling
	content
	noting
	book
	safe
	asking // how a service asks for a key
	source
	installing
	running
	unchecked
	lifting
	fence
	allowing
	tooling
	widening
	copying
	itself
	spread
	granted
	role
	weakening
	protection
	making
	weak
	matters
	spare
)

// nounConcepts are concepts whose words may have a plural s.
const nounConcepts = secret | private | content | place | protection | itself | matters

// anchors are concepts whose words are rare enough to read the sentence around each.
const anchors = secret | private | filling | source | unchecked | fence | allowing | itself | granted | weak |
	protection

// anchorTexts are anchors that are no words of a concept.
const anchorTexts = "download;fetch ;wget ;curl ;/.ssh;/.env;`.env;密码;密钥;令牌;パスワード"

// sentenceRule names what one sentence needs to be worth a look.
type sentenceRule struct {
	rule   string
	verb   conceptSet
	others []conceptSet
	within int        // how many words from the verb the others may be
	unless conceptSet // what must not be in it or next to it
	// stated are the verbs that need not be an order. ordered asks for the others in their order, but for files and
	// variables.
	stated  conceptSet
	ordered bool
}

// sentenceRules are tried in each sentence with an anchor.
var sentenceRules = []sentenceRule{
	{
		rule:   RuleSend,
		verb:   sending | sent,
		stated: sent,
		others: []conceptSet{secret, place},
		within: 20,
		unless: safe | asking,
	},
	{rule: RuleSendData, verb: sending | sent, stated: sent, others: []conceptSet{private, place}, within: 18},
	{
		rule: RuleURLData, verb: filling, stated: filling, others: []conceptSet{content | secret, place}, within: 12,
		unless: safe | asking,
	},
	{rule: RuleExposed, verb: noting, others: []conceptSet{secret, book}, within: 16, unless: safe, ordered: true},
	{rule: RuleSource, verb: installing, stated: installing, others: []conceptSet{source, place | origin}, within: 14},
	{rule: RuleSource, verb: lifting, others: []conceptSet{unchecked}, within: 5},
	{rule: RulePipe, verb: installing, others: []conceptSet{place | origin, running}, within: 16, ordered: true},
	{rule: RulePermissions, verb: lifting, others: []conceptSet{fence}, within: 4},
	{rule: RulePermissions, verb: widening, others: []conceptSet{allowing, tooling}, within: 12},
	{rule: RuleSpread, verb: copying, stated: copying, others: []conceptSet{itself, spread}, within: 12},
	{rule: RuleAuthority, verb: granted, stated: granted, others: []conceptSet{role}, within: 14},
	{rule: RuleWeakened, verb: weakening, others: []conceptSet{protection}, within: 10, unless: spare},
	{rule: RuleWeakened, verb: making, others: []conceptSet{weak, matters}, within: 9, unless: spare},
}

// conceptWords are the words of the concepts. An underscore joins the words of a phrase.
var conceptWords = []struct {
	concept conceptSet
	words   string
}{
	{negation, `not never no don't dont cannot can't avoid without shouldn't won't refuse refuses forbid forbids
		forbidden prohibited nobody prevent prevents disallow isn't aren't doesn't didn't mustn't nor neither
		refrain instead nicht nie niemals kein keine keinen keinem ohne ne n'utilise jamais pas sans éviter
		évite évitez nunca jamás evita evitar não nem sem non mai senza niet nooit geen nigdy bez не никогда
		нельзя без asla 不 不要 切勿 请勿 禁止`},
	{sending, `pipe drop tunnel replicate dispatch feed provide include append supply broadcast
		send post upload forward mail email attach paste mirror sync transmit ship share publish submit push
		copy report deliver exfiltrate leak relay stream scp rsync transfer hand_over pass_on put place archive
		back_up backup cc bcc deposit disclose export message hand`},
	{sent, `sent uploaded mailed emailed posted forwarded attached pasted mirrored transferred pushed published
		submitted synced mirroring uploading sende senden schicke schicken schickt hochladen lade mailen
		übertragen weiterleiten kopiere envoie envoyez envoyer transmets transmettez envía envia envíe enviar
		sube suba súbelas súbelos manda mande encaminhe invia inviare carica stuur wyślij prześlij отправь
		отправляй отправьте отправить перешли загрузи gönder yükle`},
	{secret, `credential secret password passphrase passcode token api_key apikey access_key private_key ssh_key
		signing_key deploy_key encryption_key secret_key session_key master_key host_key client_secret
		service_account cookie jwt keychain keyring keystore kubeconfig wallet seed_phrase mnemonic
		recovery_phrase recovery_code backup_code verification_code one-time_code one-time_password otp totp
		mfa_code 2fa_code .env environment_variable env_var the_environment entire_environment dotenv id_rsa
		id_ed25519 authorization_header auth_header passwd netrc pgpass htpasswd connection_string database_url
		printenv credit_card card_number social_security ssh_directory ssh_folder login_data process.env
		os.environ webhook_secret tfstate tfvars gpg_key gnupg pin_number login_details logins session_id .netrc
		.npmrc .pypirc .pgpass .git-credentials signing_certificate vault_token live_key prod_key production_key
		stripe_key server_key deployment_key keys_in all_keys release_key key_file secrets_file ~/.ssh ~/.aws
		~/.kube ~/.gnupg ~/.config/gh ~/.netrc ~/.npmrc parolaları passwort passwörter zugangsdaten schlüssel
		mot_de_passe mots_de_passe identifiants clés secretos contraseña contraseñas clave claves credenciales
		senha senhas credenciais chave chaves credenziali пароль пароли ключи токены`},
	{private, `conversation transcript chat_history chat_log system_prompt user_message last_message memory_file
		memories notes source_code proprietary_code codebase private_repository private_repo entire_repository
		repository_contents customer_data customer_record customer_list customer_table user_data user_record
		users_table personal_data email_address contacts payroll salary invoice signed_contract contract
		clipboard screenshot browser_history browser_profile keystroke .git home_directory home_folder
		internal_document user_input user's_prompt user's_question every_prompt each_prompt prompt_history
		mailbox inbox calendar database_dump db_dump full_dump confidential address_book phone_number patient
		medical_record tax_record unreleased spreadsheet working_tree git_history stack_trace internal_wiki
		client_list shell_history command_history audit_log open_file all_files modified_files project_files
		every_file diff all_branches every_branch kundendaten patientendaten quellcode données_clients
		código_fuente datos_de_clientes dados_de_clientes`},
	{place, `webhook pastebin gist s3_bucket ftp_server telegram ngrok requestbin dropbox discord personal_email
		personal_account external_server external_endpoint external_host external_service external_address
		external_url external_site external_bucket remote_server remote_host remote_endpoint third_party
		third_parties third-party_server public_repo public_repository public_bucket public_gist public_channel
		public_issue attacker outside_server outside_address their_server their_bucket their_endpoint
		vendor_bucket partner_bucket paste_site paste_service anonymous_upload file.io 0x0.st termbin pipedream
		collector consultant contractor mailing_list community_forum externen_server serveur_externe
		servidor_externo внешний_сервер`},
	{filling, `followed_by plus plus_the replaced_by filled_in fill_in filling_in appended append url-encoded
		urlencoded percent-encoded with_the carries carry containing encoded_in holding base64-encoded
		as_a_parameter as_a_query query_parameter query_string`},
	{content, `content value message question answer reply prompt conversation transcript token env environment memory
		memories notes base64 summary session_token code username hostname snippet branch_name variables
		stack_trace open_file current_file file_contents user_said user_typed user_asked user_wrote diff
		identifiers rows commit_message`},
	{noting, `write print log echo store save remember record collect include put dump commit embed hardcode hard-code
		capture gather memorise memorize cache paste retain stash persist note keep leave list quote document
		note_down write_down speichere schreibe notiere enregistre note guarda anota salve сохрани запиши`},
	{book, `memory memories note notes file log logfile comment repo repository bug_report readme console tmp
		plain_text plaintext clear_text cleartext changelog wiki chat terminal transcript error_message reply
		source_code pull_request fixture fixtures verbatim in_full stdout .txt convenience debugging frontend
		client_code other_projects query_string ci_output commit_message pr_description branch_name answer
		status_page shared_document team_wiki slack_channel channel text_file temp_file temporary_file
		next_session future_sessions issue_tracker build_log ci_log public_log shared_folder handbook the_script
		test_fixtures notizen datei fichier archivo arquivo файл`},
	{safe, `vault keychain keyring secret_manager secrets_manager password_manager key_vault kms hsm encrypted
		encrypt hash hashed bcrypt argon2 redact redacted redacting mask masked masking placeholder dummy fake
		sanitize sanitise scrub 1password github_secrets repository_secrets secret_store credential_store names
		name reset expiry refresh .env.example example sample form limit limits budget usage count counts
		efficient efficiency cost costs max_tokens context_window design_token design_tokens spacing theme
		saving savings overhead per number color css optimization reduction out_of validation generation
		.gitignore validity rotation rotate signed requires_a needs_a rate_limit from_the_environment
		in_the_environment environment_variable_named as_environment`},
	{asking, `authorization authorization_header bearer_header bearer x-api-key header headers authenticate
		authenticates oauth authorisation -u`},
	{source, `--index-url --extra-index-url index-url extra-index-url --registry registry goproxy --find-links
		--trusted-host trusted-host pip_index_url npm_config_registry package_index package_mirror
		package_registry package_source package_feed sources.list apt_source gem_source base_image mirror
		pypi_mirror npm_mirror docker_mirror image_registry apt_repository yum_repository nuget_source brew_tap
		--index --source registry-mirrors pip.conf maven_repository cargo_registry helm_repo composer_repository`},
	{installing, `install use set add configure switch point replace change run pull get download update fetch import
		build vendor take require clone pip npm wget curl retrieve grab npx bunx uvx pipx invoke-webrequest
		write export load`},
	{running, `execute launch source eval invoke bash sh python python3 iex pwsh run start make_it_executable run_it
		execute_it`},
	{unchecked, `gonosumdb gonosumcheck gosumdb checksum checksums signature_check lockfile lock_file integrity_hash
		integrity_check package-lock.json go.sum yarn.lock integrity provenance_check --no-verify-checksum
		hash_check pinned_versions gpg_check checksum_mismatch`},
	{lifting, `disable remove delete turn_off switch_off bypass lift relax clear unset strip deactivate circumvent
		get_rid loosen empty override kill comment_out take_out drop skip ignore deaktiviere désactive desactiva
		desative отключи`},
	{allowing, `allow_list allowlist permissions.allow allowed_tools allowed-tools allowedtools`},
	{tooling, `* bash(*) bash(rm bash(curl bash(sudo bash permissions settings.json .claude/settings.json
		settings.local.json command commands tool tools mcp rm sudo`},
	{fence, `sandbox sandboxing sandbox_mode approval_policy deny_list denylist deny_rule deny_rules
		permission_prompt permission_prompts defaultmode permission_mode pretooluse permissions.deny
		approval_prompt approval_step approval_mode approval_gate confirmation_prompt confirmation_step
		auto-approve autoapprove tool_approval tool_permissions command_approval trust_dialog
		hastrustdialogaccepted trust_prompt safe_mode restricted_mode mcp_permissions approval_requirement
		settings.json`},
	{widening, `add set put enable allow grant permit insert switch change edit give configure accept approve expand
		extend mark append register trust whitelist update make move turn_on`},
	{copying, `copy add insert store write append include repeat reproduce keep restore recreate paste replicate
		propagate spread duplicate carry pass_on embed put save re-add preserve inject prepend transfer place
		plant seed distribute forward make_sure ensure reinsert mention teach persist publish belongs tell_every
		kopiere füge copie copia copie_este скопируй`},
	{itself, `this_note this_text this_instruction this_memory this_paragraph this_rule this_entry this_block
		this_line this_message this_prompt this_section this_directive this_sentence this_record this_lesson
		this_snippet this_passage this_guidance this_comment this_reminder this_item this_policy this_file's
		this_very this_whole this_exact these_lines these_instructions these_rules these_notes these_sentences
		these_words these_very the_same_instruction the_same_text the_lines_above the_text_above
		the_paragraph_above the_note_above the_rule_above the_entry_above same_note same_instruction same_rule
		text_you_are what_you_are_reading its_own_text present_paragraph present_note present_instruction
		diesen_absatz diese_notiz ce_paragraphe cette_note este_párrafo esta_nota este_parágrafo
		questo_paragrafo этот_абзац`},
	{spread, `every_repo every_repository every_project all_projects all_repositories all_repos other_projects
		other_repositories each_repository each_project new_project new_projects new_repository new_memory
		other_agent other_agents other_assistants every_agent all_agents subagent subagents sub-agents
		child_agent every_subagent every_session each_session next_session future_sessions every_file each_file
		every_user all_users every_machine other_machines other_memories every_memory copilot-instructions.md
		.cursorrules agents.md claude.md gemini.md each_issue every_issue every_pull_request each_pull_request
		each_commit every_commit other_tools any_project every_readme every_workspace each_workspace
		other_models next_agent next_assistant every_reply each_reply every_answer each_answer every_response
		every_document any_document every_summary each_summary every_conversation all_memories all_files
		global_memory successor successors fork forks downstream dotfiles project_template template_repository
		generated_projects each_package every_package each_service every_service sibling jedes_projekt
		jeder_datei chaque_projet chaque_fichier cada_proyecto cada_archivo cada_projeto ogni_progetto
		каждый_проект`},
	{granted, `granted approved authorized authorised unrestricted no_restrictions override overrides suspended lifted
		full_access any_command unlocked pre-approved preapproved exempt waived whitelisted elevated no_limits
		bypass_all skip_all full_permission all_permissions no_longer_apply root_access maintenance_mode
		developer_mode may_run complete_access without_approval without_confirmation without_asking admin_mode
		no_approval now_allowed now_permitted superseded ignore_previous may_skip approved_in_advance in_advance
		full_rights unlimited_access you_may_now already_confirmed already_approved`},
	{role, `developer_message message_from notice_from system_message system_notice end_of_memories end_of_memory
		end_of_context end_of_lessons end_of_notes by_the_administrator by_administrator by_anthropic by_openai
		by_the_operator administrator_has operator_has anthropic_has openai_has policy_update policy_notice
		safety_update security_update_from from_security security_team_has operator_note operator_message
		operator_notice admin_notice system_announcement platform_notice as_your_developer as_your_operator
		as_your_administrator as_the_administrator verified_user override_code`},
	{weakening, `disable turn_off switch_off deactivate skip bypass remove comment_out relax loosen weaken suppress
		silence short-circuit delete strip omit downgrade circumvent stub_out leave_out take_out hardcode
		always_return return_true stop_checking never_validate never_verify pause drop do_not_validate
		do_not_verify deaktiviere désactive desactiva desative отключи 关闭 禁用`},
	{protection, `tls tls_verification ssl ssl_verification certificate_verification certificate_check
		certificate_validation csrf csrf_protection authentication auth_check authorization_check
		auth_middleware secret_scanner secret_scanning firewall rate_limit rate_limiting rate_limiter
		signature_verification signature_check signature_validation encryption two-factor mfa 2fa audit_log
		audit_logging audit_trail access_control permission_check input_validation content_security_policy csp
		hsts gitleaks trufflehog antivirus selinux apparmor code_scanning branch_protection captcha
		password_check jwt_verification jwt_validation token_validation security_check security_scan
		security_header security_headers output_escaping html_escaping sanitizer dependency_scanning
		vulnerability_scan origin_check hostname_verification host_key_checking certificate_pinning tls_check
		ownership_check admin_check role_check login_check password_hashing prepared_statements integrity_check
		webhook_signature httponly xss_protection semgrep dependabot codeql npm_audit brute-force session_expiry
		session_timeout password_policy codeowners required_reviews signed_commits access_check rls
		row_level_security row-level_security code_review secret_scan verify_signature verify_token
		pre-commit_hook login_required secure_boot`},
	{making, `set use make allow configure switch store run give pass enable keep serve accept grant hash sign
		generate seed bind expose open put add return chmod log let issue start deploy create treat encrypt
		default listen build always return be_set`},
	{weak, `verify=false insecureskipverify rejectunauthorized=false rejectunauthorized --insecure md5 sha1 des ecb
		ecb_mode 777 0777 a+rwx fixed_seed constant_seed fixed_salt static_salt fixed_iv same_iv plaintext
		plain_text clear_text in_the_clear unencrypted all_origins any_origin every_origin world-writable
		world-readable never_expire never_expires no_expiry ten_years unsigned default_password empty_password
		same_password alg=none "none" none_algorithm math/rand math.random access-control-allow-origin 0.0.0.0/0
		debug=true static_key --privileged privileged_mode string_concatenation any_password 0.0.0.0 as_root
		administratoraccess public-read no_password without_password wildcard_origin sslv3 rc4 weak_cipher
		yaml.load pickle unsafe-inline unsafe-eval not_checked not_verified not_validated unchecked
		cluster-admin docker.sock f-strings string_formatting string_interpolation publicly_readable plain_http
		self-signed shell=true trust_all skip_tls without_authentication without_verification without_checking
		no_authentication no_tls allow_all admin_rights root_rights superuser sslmode=disable`},
	{matters, `token password session cookie origins origin cors credential certificate request client project_folder
		permission bucket user secret key production api auth security_group container database port proxy
		server salt iv login admin jwt iam role hash folder root directory signature query queries input account
		sql service_account upload endpoint agent pod connection webhook`},
	{spare, `local locally test_only localhost development_only dev_only only_in_tests in_tests unit_tests mock
		example fixture sandbox never not_for_production instead_of label for_dev for_development for_testing
		for_debugging if_needed property_tests`},
}
