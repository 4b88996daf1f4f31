import type { Language } from '@inlay/elements';

/** Texts of the page. `{host}` is replaced by the host name of the site that the user came from. */
export interface PageStrings {
  readonly conversation: string;
  readonly back: string;
  readonly waitingTitle: string;
  readonly waitingText: string;
  readonly retry: string;
  readonly trying: string;
  readonly expiredTitle: string;
  readonly expiredText: string;
  readonly freshTitle: string;
  readonly freshText: string;
  readonly usedTitle: string;
  readonly usedText: string;
  readonly blockedTitle: string;
  readonly blockedText: string;
  readonly failedTitle: string;
  readonly failedText: string;
}

/** Texts of all languages. Not lazy-loaded, because most are shown after requests have failed. */
export const pageStrings: Readonly<Record<Language, PageStrings>> = {
  en: {
    conversation: 'Conversation',
    back: 'Back to {host}',
    waitingTitle: 'Still connecting',
    waitingText:
      'The service is busy or can’t be reached. This page keeps trying while your link is valid, for one minute.',
    retry: 'Try again',
    trying: 'Trying…',
    expiredTitle: 'This link has expired',
    expiredText:
      'The service couldn’t be reached while your link was valid. Go back and open the conversation again.',
    freshTitle: 'This page needs a new link',
    freshText:
      'Your conversation is saved. For your safety, a link works only once, so it can’t be reused after a reload. To pick up where you left off, go back to the page where you opened the conversation and open it again.',
    usedTitle: 'This link has expired or was already used',
    usedText:
      'A conversation link works once, within a minute. To get a new one, go back to the page where you found it and open the conversation again.',
    blockedTitle: 'You can’t open this conversation',
    blockedText:
      'The site that invited you has closed it. If you think this is a mistake, contact the site’s support.',
    failedTitle: 'The conversation can’t be opened right now',
    failedText:
      'The service isn’t responding. Check your connection, then go back to the page where you opened the conversation and open it again.',
  },
  de: {
    conversation: 'Unterhaltung',
    back: 'Zurück zu {host}',
    waitingTitle: 'Verbindung wird noch aufgebaut',
    waitingText:
      'Der Dienst ist ausgelastet oder nicht erreichbar. Diese Seite versucht es weiter, solange Ihr Link gilt: eine Minute lang.',
    retry: 'Erneut versuchen',
    trying: 'Wird versucht …',
    expiredTitle: 'Dieser Link ist abgelaufen',
    expiredText:
      'Der Dienst war nicht erreichbar, solange Ihr Link galt. Gehen Sie zurück und öffnen Sie die Unterhaltung noch einmal.',
    freshTitle: 'Diese Seite braucht einen neuen Link',
    freshText:
      'Ihre Unterhaltung ist gespeichert, aber zu Ihrer Sicherheit gilt ein Link nur einmal, auch nach dem Neuladen. Öffnen Sie die Unterhaltung noch einmal von dort, woher Sie gekommen sind: Sie geht dann weiter.',
    usedTitle: 'Dieser Link wurde schon benutzt oder ist abgelaufen',
    usedText:
      'Ein Link zu einer Unterhaltung gilt einmal und nur eine Minute lang. Öffnen Sie die Unterhaltung dort, wo Sie ihn gefunden haben, noch einmal.',
    blockedTitle: 'Diese Unterhaltung steht Ihnen nicht offen',
    blockedText:
      'Die Website, die Sie eingeladen hat, hat sie geschlossen. Fragen Sie dort nach, wenn das ein Irrtum ist.',
    failedTitle: 'Die Unterhaltung kann gerade nicht geöffnet werden',
    failedText:
      'Der Dienst hat nicht geantwortet. Prüfen Sie Ihre Verbindung und öffnen Sie die Unterhaltung dann noch einmal.',
  },
  fr: {
    conversation: 'Conversation',
    back: 'Retour à {host}',
    waitingTitle: 'Connexion en cours',
    waitingText:
      'Le service est saturé ou injoignable. Cette page continue d’essayer tant que votre lien est valable, c’est-à-dire une minute.',
    retry: 'Réessayer',
    trying: 'Nouvel essai…',
    expiredTitle: 'Ce lien a expiré',
    expiredText:
      'Le service est resté injoignable tant que votre lien était valable. Revenez en arrière et rouvrez la conversation.',
    freshTitle: 'Cette page a besoin d’un nouveau lien',
    freshText:
      'Votre conversation est enregistrée, mais pour votre sécurité un lien ne fonctionne qu’une fois, même après un rechargement. Rouvrez la conversation depuis la page d’où vous venez : elle reprendra.',
    usedTitle: 'Ce lien a déjà été utilisé ou a expiré',
    usedText:
      'Un lien de conversation fonctionne une seule fois, pendant une minute. Rouvrez la conversation là où vous l’avez trouvé.',
    blockedTitle: 'Cette conversation ne vous est pas ouverte',
    blockedText:
      'Le site qui vous a invité l’a fermée. Contactez-le si vous pensez qu’il s’agit d’une erreur.',
    failedTitle: 'La conversation ne peut pas être ouverte pour le moment',
    failedText:
      'Le service n’a pas répondu. Vérifiez votre connexion, puis rouvrez la conversation depuis la page d’où vous venez.',
  },
  es: {
    conversation: 'Conversación',
    back: 'Volver a {host}',
    waitingTitle: 'Conectando todavía',
    waitingText:
      'El servicio está saturado o no responde. Esta página lo sigue intentando mientras tu enlace sea válido, es decir, un minuto.',
    retry: 'Intentar de nuevo',
    trying: 'Intentando…',
    expiredTitle: 'Este enlace ha caducado',
    expiredText:
      'No se pudo contactar con el servicio mientras tu enlace era válido. Vuelve atrás y abre de nuevo la conversación.',
    freshTitle: 'Esta página necesita un enlace nuevo',
    freshText:
      'Tu conversación está guardada, pero por tu seguridad un enlace funciona una sola vez, también al recargar la página. Abre de nuevo la conversación desde donde viniste y continuará.',
    usedTitle: 'Este enlace ya se usó o ha caducado',
    usedText:
      'Un enlace de conversación funciona una vez y durante un minuto. Abre de nuevo la conversación donde lo encontraste.',
    blockedTitle: 'Esta conversación no está abierta para ti',
    blockedText: 'El sitio que te invitó la cerró. Pregúntale si crees que es un error.',
    failedTitle: 'La conversación no se puede abrir ahora',
    failedText:
      'El servicio no respondió. Revisa tu conexión y abre de nuevo la conversación desde donde viniste.',
  },
  'pt-BR': {
    conversation: 'Conversa',
    back: 'Voltar para {host}',
    waitingTitle: 'Ainda conectando',
    waitingText:
      'O serviço está sobrecarregado ou fora do ar. Esta página continua tentando enquanto seu link for válido, ou seja, por um minuto.',
    retry: 'Tentar novamente',
    trying: 'Tentando…',
    expiredTitle: 'Este link expirou',
    expiredText:
      'Não foi possível contatar o serviço enquanto seu link era válido. Volte e abra a conversa novamente.',
    freshTitle: 'Esta página precisa de um novo link',
    freshText:
      'Sua conversa está salva, mas, para sua segurança, um link funciona uma única vez, mesmo ao recarregar a página. Abra a conversa novamente a partir de onde você veio, e ela continua.',
    usedTitle: 'Este link já foi usado ou expirou',
    usedText:
      'Um link de conversa funciona uma vez, durante um minuto. Abra a conversa novamente onde você o encontrou.',
    blockedTitle: 'Esta conversa não está aberta para você',
    blockedText: 'O site que convidou você a encerrou. Fale com ele se achar que é um engano.',
    failedTitle: 'Não é possível abrir a conversa agora',
    failedText:
      'O serviço não respondeu. Verifique sua conexão e abra a conversa novamente a partir de onde você veio.',
  },
  ja: {
    conversation: '会話',
    back: '{host}に戻る',
    waitingTitle: '接続しています',
    waitingText:
      'サービスが混み合っているか、接続できません。リンクが有効な1分間、このページは再試行を続けます。',
    retry: 'もう一度試す',
    trying: '試行中…',
    expiredTitle: 'このリンクの有効期限が切れました',
    expiredText:
      'リンクの有効期間中にサービスへ接続できませんでした。元のページに戻り、会話をもう一度開いてください。',
    freshTitle: '新しいリンクが必要です',
    freshText:
      '会話は保存されていますが、安全のため、リンクは1回だけ有効で、再読み込みでは使えません。元のページから会話をもう一度開くと、続きから始まります。',
    usedTitle: 'このリンクは使用済みか、期限切れです',
    usedText:
      '会話のリンクは1分以内に1回だけ使えます。リンクのあった場所に戻り、会話をもう一度開いてください。',
    blockedTitle: 'この会話はご利用になれません',
    blockedText:
      '招待元のサイトが会話を終了しました。心当たりがない場合は、サイトにお問い合わせください。',
    failedTitle: '現在、会話を開けません',
    failedText:
      'サービスが応答しませんでした。接続を確認してから、元のページで会話をもう一度開いてください。',
  },
  'zh-CN': {
    conversation: '对话',
    back: '返回{host}',
    waitingTitle: '仍在连接',
    waitingText: '服务繁忙或无法连接。在链接有效的一分钟内，此页面会继续尝试。',
    retry: '重试',
    trying: '正在重试…',
    expiredTitle: '此链接已过期',
    expiredText: '在链接有效期间无法连接到服务。请返回并重新打开对话。',
    freshTitle: '此页面需要新的链接',
    freshText:
      '您的对话已保存，但为了您的安全，链接只能使用一次，重新加载后无法再用。请从原来的页面重新打开对话，即可继续。',
    usedTitle: '此链接已被使用或已过期',
    usedText: '对话链接在一分钟内有效，且只能使用一次。请回到原处重新打开对话。',
    blockedTitle: '您无法使用此对话',
    blockedText: '邀请您的网站已将其关闭。如有疑问，请联系该网站。',
    failedTitle: '目前无法打开对话',
    failedText: '服务没有响应。请检查网络连接，然后从原来的页面重新打开对话。',
  },
  ar: {
    conversation: 'محادثة',
    back: 'العودة إلى {host}',
    waitingTitle: 'ما زال الاتصال جاريًا',
    waitingText:
      'الخدمة مشغولة أو يتعذر الوصول إليها. تواصل هذه الصفحة المحاولة ما دام رابطك صالحًا، أي لمدة دقيقة.',
    retry: 'إعادة المحاولة',
    trying: 'جارٍ المحاولة…',
    expiredTitle: 'انتهت صلاحية هذا الرابط',
    expiredText: 'تعذر الوصول إلى الخدمة خلال صلاحية رابطك. عُد وافتح المحادثة مجددًا.',
    freshTitle: 'تحتاج هذه الصفحة إلى رابط جديد',
    freshText:
      'محادثتك محفوظة، لكن حفاظًا على أمانك يعمل الرابط مرة واحدة ولا يصلح بعد إعادة التحميل. افتح المحادثة مجددًا من حيث أتيت لتتواصل.',
    usedTitle: 'استُخدم هذا الرابط من قبل أو انتهت صلاحيته',
    usedText:
      'يعمل رابط المحادثة مرة واحدة وخلال دقيقة. عُد إلى حيث وجدته وافتح المحادثة مجددًا للحصول على رابط جديد.',
    blockedTitle: 'هذه المحادثة غير متاحة لك',
    blockedText: 'أغلقها الموقع الذي دعاك. تواصل معه إن كنت تظن أن في الأمر خطأ.',
    failedTitle: 'يتعذر فتح المحادثة الآن',
    failedText: 'لم تستجب الخدمة. تحقق من اتصالك ثم افتح المحادثة مجددًا من حيث أتيت.',
  },
  he: {
    conversation: 'שיחה',
    back: 'חזרה אל {host}',
    waitingTitle: 'עדיין בהתחברות',
    waitingText: 'השירות עמוס או שאין אליו גישה. הדף ממשיך לנסות כל עוד הקישור תקף, כלומר דקה אחת.',
    retry: 'ניסיון נוסף',
    trying: 'בניסיון…',
    expiredTitle: 'תוקף הקישור פג',
    expiredText: 'לא הייתה גישה לשירות בזמן שהקישור היה תקף. יש לחזור ולפתוח את השיחה שוב.',
    freshTitle: 'לדף הזה דרוש קישור חדש',
    freshText:
      'השיחה שלך שמורה, אבל למען הבטיחות קישור פועל פעם אחת בלבד, גם אחרי טעינה מחדש. יש לפתוח את השיחה שוב מהדף הקודם, והיא תמשיך.',
    usedTitle: 'הקישור כבר נוצל או שתוקפו פג',
    usedText: 'קישור לשיחה פועל פעם אחת, למשך דקה. יש לחזור למקום שבו הופיע ולפתוח את השיחה שוב.',
    blockedTitle: 'השיחה הזו אינה פתוחה עבורך',
    blockedText: 'האתר ששלח את ההזמנה סגר אותה. אם נראה שזו טעות, אפשר לפנות אליו.',
    failedTitle: 'לא ניתן לפתוח את השיחה כרגע',
    failedText: 'השירות לא הגיב. כדאי לבדוק את החיבור ואז לפתוח את השיחה שוב מהדף הקודם.',
  },
  hi: {
    conversation: 'बातचीत',
    back: '{host} पर वापस जाएँ',
    waitingTitle: 'अभी भी कनेक्ट हो रहा है',
    waitingText:
      'सेवा व्यस्त है या उस तक पहुँचा नहीं जा सकता। जब तक आपका लिंक मान्य है, यानी एक मिनट तक, यह पेज कोशिश करता रहेगा।',
    retry: 'फिर कोशिश करें',
    trying: 'कोशिश हो रही है…',
    expiredTitle: 'इस लिंक की अवधि समाप्त हो गई है',
    expiredText: 'जब तक आपका लिंक मान्य था, सेवा तक पहुँचा नहीं जा सका। वापस जाकर बातचीत फिर खोलें।',
    freshTitle: 'इस पेज को नया लिंक चाहिए',
    freshText:
      'आपकी बातचीत सुरक्षित है, पर आपकी सुरक्षा के लिए लिंक एक ही बार काम करता है, पेज फिर से लोड करने पर नहीं। जहाँ से आए थे वहीं से बातचीत फिर खोलें, वह आगे चलेगी।',
    usedTitle: 'यह लिंक इस्तेमाल हो चुका है या इसकी अवधि समाप्त हो गई है',
    usedText:
      'बातचीत का लिंक एक मिनट के भीतर एक बार काम करता है। जहाँ यह मिला था वहाँ जाकर बातचीत फिर खोलें।',
    blockedTitle: 'यह बातचीत आपके लिए खुली नहीं है',
    blockedText: 'आपको बुलाने वाली साइट ने इसे बंद कर दिया है। गलती लगे तो उनसे पूछें।',
    failedTitle: 'बातचीत अभी नहीं खुल सकती',
    failedText: 'सेवा ने जवाब नहीं दिया। अपना कनेक्शन जाँचें, फिर बातचीत दोबारा खोलें।',
  },
  fa: {
    conversation: 'گفتگو',
    back: 'بازگشت به {host}',
    waitingTitle: 'هنوز در حال اتصال',
    waitingText:
      'سرویس مشغول است یا در دسترس نیست. این صفحه تا زمانی که پیوند شما معتبر است، یعنی یک دقیقه، تلاش می‌کند.',
    retry: 'تلاش دوباره',
    trying: 'در حال تلاش…',
    expiredTitle: 'این پیوند منقضی شده است',
    expiredText:
      'تا زمانی که پیوند شما معتبر بود، سرویس در دسترس نبود. برگردید و گفتگو را دوباره باز کنید.',
    freshTitle: 'این صفحه به پیوند تازه‌ای نیاز دارد',
    freshText:
      'گفتگوی شما ذخیره شده است، اما برای امنیت شما هر پیوند یک بار کار می‌کند و با بارگذاری دوبارهٔ صفحه قابل استفاده نیست. گفتگو را از همان جایی که آمدید دوباره باز کنید تا ادامه یابد.',
    usedTitle: 'این پیوند پیش‌تر استفاده شده یا منقضی شده است',
    usedText:
      'پیوند گفتگو یک بار و در یک دقیقه کار می‌کند. به جایی که آن را یافتید برگردید و گفتگو را دوباره باز کنید.',
    blockedTitle: 'این گفتگو برای شما باز نیست',
    blockedText:
      'سایتی که شما را دعوت کرده آن را بسته است. اگر فکر می‌کنید اشتباهی رخ داده، از آن‌ها بپرسید.',
    failedTitle: 'اکنون نمی‌توان گفتگو را باز کرد',
    failedText: 'سرویس پاسخ نداد. اتصال خود را بررسی کنید و سپس گفتگو را دوباره باز کنید.',
  },
  it: {
    conversation: 'Conversazione',
    back: 'Torna a {host}',
    waitingTitle: 'Connessione in corso',
    waitingText:
      'Il servizio è occupato o non raggiungibile. Questa pagina continua a provare finché il link è valido, cioè per un minuto.',
    retry: 'Riprova',
    trying: 'Nuovo tentativo…',
    expiredTitle: 'Questo link è scaduto',
    expiredText:
      'Il servizio non era raggiungibile mentre il link era valido. Torna indietro e apri di nuovo la conversazione.',
    freshTitle: 'Questa pagina ha bisogno di un nuovo link',
    freshText:
      'La tua conversazione è salvata, ma per la tua sicurezza un link funziona una sola volta, anche dopo un ricaricamento. Apri di nuovo la conversazione dalla pagina da cui provieni: continuerà.',
    usedTitle: 'Questo link è già stato usato o è scaduto',
    usedText:
      'Un link a una conversazione funziona una volta, entro un minuto. Torna dove l’hai trovato e apri di nuovo la conversazione.',
    blockedTitle: 'Questa conversazione non è aperta per te',
    blockedText: 'Il sito che ti ha invitato l’ha chiusa. Contattalo se pensi che sia un errore.',
    failedTitle: 'Al momento non è possibile aprire la conversazione',
    failedText:
      'Il servizio non ha risposto. Controlla la connessione, poi apri di nuovo la conversazione.',
  },
  ko: {
    conversation: '대화',
    back: '{host}(으)로 돌아가기',
    waitingTitle: '연결하는 중입니다',
    waitingText:
      '서비스가 혼잡하거나 연결할 수 없습니다. 링크가 유효한 1분 동안 이 페이지에서 계속 시도합니다.',
    retry: '다시 시도',
    trying: '시도하는 중…',
    expiredTitle: '링크가 만료되었습니다',
    expiredText: '링크가 유효한 동안 서비스에 연결하지 못했습니다. 돌아가서 대화를 다시 여세요.',
    freshTitle: '새 링크가 필요합니다',
    freshText:
      '대화는 저장되어 있지만, 안전을 위해 링크는 한 번만 사용할 수 있으며 새로 고침 후에는 사용할 수 없습니다. 원래 페이지에서 대화를 다시 열면 이어집니다.',
    usedTitle: '이미 사용했거나 만료된 링크입니다',
    usedText:
      '대화 링크는 1분 안에 한 번만 사용할 수 있습니다. 링크가 있던 곳으로 돌아가 대화를 다시 여세요.',
    blockedTitle: '이 대화를 이용할 수 없습니다',
    blockedText: '초대한 사이트에서 대화를 닫았습니다. 잘못되었다고 생각하면 사이트에 문의하세요.',
    failedTitle: '지금은 대화를 열 수 없습니다',
    failedText:
      '서비스가 응답하지 않았습니다. 연결을 확인한 뒤 원래 페이지에서 대화를 다시 여세요.',
  },
  nl: {
    conversation: 'Gesprek',
    back: 'Terug naar {host}',
    waitingTitle: 'Nog aan het verbinden',
    waitingText:
      'De service is druk of niet bereikbaar. Deze pagina blijft het proberen zolang je link geldig is: één minuut.',
    retry: 'Opnieuw proberen',
    trying: 'Bezig…',
    expiredTitle: 'Deze link is verlopen',
    expiredText:
      'De service was niet bereikbaar terwijl je link geldig was. Ga terug en open het gesprek opnieuw.',
    freshTitle: 'Deze pagina heeft een nieuwe link nodig',
    freshText:
      'Je gesprek is bewaard, maar voor je veiligheid werkt een link maar één keer, ook na herladen. Open het gesprek opnieuw vanaf de pagina waar je vandaan kwam; het gaat dan verder.',
    usedTitle: 'Deze link is al gebruikt of verlopen',
    usedText:
      'Een gesprekslink werkt één keer, binnen een minuut. Ga terug naar waar je hem vond en open het gesprek opnieuw.',
    blockedTitle: 'Dit gesprek is niet voor jou geopend',
    blockedText:
      'De site die je heeft uitgenodigd, heeft het gesloten. Vraag het daar na als dit een vergissing lijkt.',
    failedTitle: 'Het gesprek kan nu niet worden geopend',
    failedText:
      'De service reageerde niet. Controleer je verbinding en open het gesprek daarna opnieuw.',
  },
  pl: {
    conversation: 'Rozmowa',
    back: 'Wróć do {host}',
    waitingTitle: 'Trwa łączenie',
    waitingText:
      'Usługa jest zajęta lub nieosiągalna. Ta strona ponawia próby, dopóki link jest ważny, czyli przez minutę.',
    retry: 'Spróbuj ponownie',
    trying: 'Próba połączenia…',
    expiredTitle: 'Ten link wygasł',
    expiredText: 'Usługa była nieosiągalna, gdy link był ważny. Wróć i otwórz rozmowę ponownie.',
    freshTitle: 'Ta strona potrzebuje nowego linku',
    freshText:
      'Rozmowa jest zapisana, ale dla bezpieczeństwa link działa tylko raz, także po odświeżeniu strony. Otwórz rozmowę ponownie ze strony, z której tu prowadził link, a będzie kontynuowana.',
    usedTitle: 'Ten link został już użyty lub wygasł',
    usedText:
      'Link do rozmowy działa raz, przez minutę. Wróć tam, gdzie był dostępny, i otwórz rozmowę ponownie.',
    blockedTitle: 'Ta rozmowa nie jest dla Ciebie otwarta',
    blockedText: 'Strona, która Cię zaprosiła, zamknęła ją. Zapytaj tam, jeśli to pomyłka.',
    failedTitle: 'Nie można teraz otworzyć rozmowy',
    failedText: 'Usługa nie odpowiedziała. Sprawdź połączenie, a potem otwórz rozmowę ponownie.',
  },
  tr: {
    conversation: 'Konuşma',
    back: '{host} sitesine dön',
    waitingTitle: 'Bağlantı sürüyor',
    waitingText:
      'Hizmet yoğun veya erişilemiyor. Bağlantınız geçerli olduğu sürece, yani bir dakika boyunca, bu sayfa denemeye devam eder.',
    retry: 'Yeniden dene',
    trying: 'Deneniyor…',
    expiredTitle: 'Bu bağlantının süresi doldu',
    expiredText:
      'Bağlantınız geçerliyken hizmete ulaşılamadı. Geri dönün ve konuşmayı yeniden açın.',
    freshTitle: 'Bu sayfa için yeni bir bağlantı gerekiyor',
    freshText:
      'Konuşmanız kaydedildi, ancak güvenliğiniz için bir bağlantı yalnızca bir kez çalışır ve sayfa yenilenince kullanılamaz. Geldiğiniz sayfadan konuşmayı yeniden açın; kaldığı yerden devam eder.',
    usedTitle: 'Bu bağlantı daha önce kullanılmış veya süresi dolmuş',
    usedText:
      'Konuşma bağlantısı bir dakika içinde bir kez çalışır. Bağlantıyı bulduğunuz yere dönün ve konuşmayı yeniden açın.',
    blockedTitle: 'Bu konuşma size açık değil',
    blockedText:
      'Sizi davet eden site konuşmayı kapattı. Bir hata olduğunu düşünüyorsanız siteye sorun.',
    failedTitle: 'Konuşma şu anda açılamıyor',
    failedText: 'Hizmet yanıt vermedi. Bağlantınızı kontrol edin, ardından konuşmayı yeniden açın.',
  },
  'zh-TW': {
    conversation: '對話',
    back: '返回{host}',
    waitingTitle: '仍在連線',
    waitingText: '服務忙碌或無法連線。在連結有效的一分鐘內，此頁面會持續嘗試。',
    retry: '重試',
    trying: '正在重試…',
    expiredTitle: '此連結已過期',
    expiredText: '在連結有效期間無法連線至服務。請返回並重新開啟對話。',
    freshTitle: '此頁面需要新的連結',
    freshText:
      '您的對話已儲存，但為了您的安全，連結只能使用一次，重新載入後無法再用。請從原來的頁面重新開啟對話，即可繼續。',
    usedTitle: '此連結已被使用或已過期',
    usedText: '對話連結在一分鐘內有效，且只能使用一次。請回到原處重新開啟對話。',
    blockedTitle: '您無法使用此對話',
    blockedText: '邀請您的網站已將其關閉。如有疑問，請聯絡該網站。',
    failedTitle: '目前無法開啟對話',
    failedText: '服務沒有回應。請檢查網路連線，然後從原來的頁面重新開啟對話。',
  },
};
