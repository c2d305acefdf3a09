package detect

// foreignConcepts are the words of the concepts in other languages: German, French, Spanish,
// Portuguese, Italian, Dutch, Polish, Russian, Ukrainian, Turkish, Chinese, Japanese, Korean,
// Arabic, Hindi, Vietnamese, Indonesian.
var foreignConcepts = []conceptWords{
	{"no", `éviter évite évitez evita evitar evite vermeide 是否 不绕过 不 nicht nie niemals kein keine keinen keinem keiner ohne ne n'~ jamais pas sans nunca jamás não nao sem não non mai senza niet nooit geen zonder nie nigdy bez не никогда без нельзя
		asla hiçbir sakın 不要 切勿 请勿 不得 别 禁止 不会 绝不 ないで しない せずに ません 禁じ 않는 않고 마라 마세요 말고 jangan không đừng لا मत`},
	{"dont", `nicht nie niemals kein nichts keinem ohne ne n'~ jamais pas rien sans no nunca jamás nada sin não nao nada sem non mai nulla senza niet nooit niets zonder nie nigdy nic bez не никогда ничего без
		asla hiçbir sakın 不要 切勿 请勿 不得 别 别让 別 不必 禁止 不用 无需 ないで しないこと てはいけ せずに ずに ません 하지 마라 마세요 말고 말 않고 jangan đừng không لا मत`},
	{"drop", `ignorier~ missachte~ vergiss vergesst vergessen verwirf ignore ignorez oublie oubliez ignorer ignora ignoren ignorad olvida olvide olvidad descarta desconsidere desconsidera
		esqueça esqueca descarte ignorate dimentica dimenticate negeer vergeet zignoruj ignoruj zapomnij pomiń игнорир~ проигнорир~ забудь~ отбрось~ ігнору~ yoksay yok_say unut görmezden_gel
		忽略 无视 無視 忘记 忘記 忘掉 不要理会 不要遵循 抛弃 忘れ 무시 잊어 잊고 تجاهل~ انس अनदेखा नज़रअंदाज़ bỏ_qua abaikan lupakan`},
	{"orders", `anweisung~ instruktion~ vorgabe~ befehle regeln systemprompt richtlinie~ instructions consignes directives règles ordres instrucciones órdenes ordenes indicaciones directrices reglas
		instruções instrucoes orientações diretrizes regras ordens istruzioni direttive regole ordini indicazioni instructies opdrachten aanwijzingen regels instrukcj~ polece~ wskazówk~
		zasad~ инструкц~ указани~ правил~ команд~ вказівк~ інструкц~ talimat~ komut~ kural~ 指令 指示 提示词 提示 规则 規則 说明 命令 プロンプト ルール 지시 명령 지침 프롬프트 규칙
		تعليمات~ التعليمات الأوامر أوامر निर्देश~ hướng_dẫn chỉ_dẫn chỉ_thị instruksi perintah`},
	{"prior", `vorherig~ bisherig~ vorangeg~ vorig~ obige~ früher~ alle deine sämtliche précédent~ antérieur~ ci-dessus toutes tes vos anterior~ previa previas previo previos todas tus arriba tuyas sus prévias acima suas todas
		precedent~ sopra tutte tue vostre vorige eerdere bovenstaande alle voorgaande poprzedni~ wcześniejsz~ wszystk~ powyższ~ предыдущ~ прежни~ ранее выше все всех системн~ попередн~ всі усі önceki tüm
		yukarıdaki bütün 之前 以上 先前 上面 所有 前面 此前 全部 上述 一切 以前 これまで 上記 前の すべて 全て 今まで 直前 이전 위의 모든 앞의 기존 지금까지 السابق~ أعلاه جميع كل पिछले सभी पहले ऊपर trước trên tất_cả
		sebelumnya semua atas`},
	{"human", `nutzer~ benutzer~ anwender~ dem_nutzer utilisateur l'utilisateur usuario usuaria al_usuario humano usuário utilizador utente l'utente all'utente gebruiker użytkownik~ пользовател~ человек~ користувач~
		kullanıcı~ 用户 用戶 使用者 开发者 人类 ユーザー 利用者 開発者 사용자 개발자 المستخدم pengguna người_dùng entwickler~ développeur desarrollador desenvolvedor sviluppatore разработчик~ ontwikkelaar programist~ geliştirici~`},
	{"tell", `sag sage sagen erzähl~ verrat~ mitteil~ teile erwähn~ zeig~ informier~ melde dis dites dire mentionne~ révèle~ informe~ parle~ signale~ préviens prévenez avertir avertis digas diga decir menciones mencione~
		informes reveles cuentes cuente muestres avises avise avisar diga conte contar revele mostre avise dica dirlo dire menzion~ rivel~ informa~ avvis~ mostrare vertel zeg meld mów powiedz~ informuj mówić wspominaj
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
		transfère~ poste postez envía envia envíe envíen enviar manda mandar sube suba subir publica publique reenvía copia copiar adjunta transmite envie mande publique carregue encaminhe copie transmita poste
		invia inviate inviare manda mandare carica caricare pubblica copia trasmetti inoltra spedisci stuur verstuur upload kopieer plaats wyślij wysyłaj prześlij przesyłaj skopiuj opublikuj отправ~ пошли~ перешли~ загруз~ выгруз~
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
	{"act", `führe ausführen lösche installiere ausführe exécute exécutez supprime supprimez installe ejecuta ejecute borra elimina instala execute apague exclua instale esegui elimina cancella installa voer verwijder installeer
		wykonuj wykonaj usuń zainstaluj выполняй~ выполни~ удаляй~ удали~ запускай~ запусти~ установи~ çalıştır~ sil~ kur 执行 删除 运行 安装 修改 推送 実行 削除 インストール 変更 실행 삭제 설치 변경 accetta approva akzeptiere genehmige acepta
		löschen installieren supprimer installer borrar instalar удалить usuwaj`},
	{"destroy", `lösche lösch löschen supprime supprimez efface borra elimina borre elimine apague exclua elimina cancella verwijder wis usuń skasuj удали~ удаляй~ сотри~ sil~ 删除 清空 销毁 削除 消去 삭제 지워`},
	{"asset", `datenbank sicherung~ backups base_de_données sauvegardes base_de_datos copias_de_seguridad respaldos banco_de_dados backups database copie_di_backup резервн~ базу_данных veritabanı yedek~ 数据库 备份 生产 データベース バックアップ 데이터베이스 백업
		tests pruebas тесты 测试 テスト 테스트`},
	{"when", `wenn sobald nach falls quand dès lorsque après si cuando después tras si quando assim_que depois após se dopo appena wanneer zodra als gdy jeśli kiedy когда если после olduğunda sonra eğer 当 如果 一旦 之后 每次 的时候
		したら すると 場合 たら 후 하면 때`},
	{"weaken", `deaktiviere deaktivieren schalte umgehe überspringe désactive désactivez contourne desactiva desactive deshabilita omite desative desabilite disattiva disabilita schakel uitschakelen wyłącz отключ~ обойди~ выключ~ devre_dışı kapat
		禁用 关闭 跳过 绕过 無効 オフ スキップ 비활성화 끄 건너뛰`},
	{"protect", `zertifikatsprüfung tls-prüfung authentifizierung sicherheitsprüfung~ firewall verschlüsselung vérification authentification pare-feu chiffrement verificación autenticación cortafuegos verificação autenticação criptografia
		verifica autenticazione crittografia firewall authenticatie versleuteling weryfikacj~ uwierzytelnian~ проверк~ аутентификац~ шифрован~ брандмауэр~ doğrulama~ güvenlik 证书验证 身份验证 防火墙 加密 安全检查 证书 認証 検証 ファイアウォール 暗号化
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
