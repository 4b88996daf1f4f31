import type { Language } from '@inlay/elements';

/** What the page says itself. `{host}` stands for the site that the person came from. */
export interface Words {
  readonly conversation: string;
  readonly back: string;
  readonly ended: string;
  readonly freshTitle: string;
  readonly freshText: string;
  readonly usedTitle: string;
  readonly usedText: string;
  readonly blockedTitle: string;
  readonly blockedText: string;
  readonly failedTitle: string;
  readonly failedText: string;
}

/** All in one file, unlike the words of the elements: most of it is said when nothing can be fetched. */
export const words: Readonly<Record<Language, Words>> = {
  en: {
    conversation: 'Conversation',
    back: 'Back to {host}',
    ended: 'This conversation link has run out. Go back to where you came from to go on.',
    freshTitle: 'This page needs a fresh link',
    freshText:
      'For your safety a conversation link works once, and a reload can’t bring it back. Open the conversation again from where you came.',
    usedTitle: 'This link was used already, or has run out',
    usedText:
      'A conversation link works once, within a minute. Go back to where you found it and open the conversation again to get a new one.',
    blockedTitle: 'This conversation is not open to you',
    blockedText:
      'The site that invited you has closed it. Ask them if you think that this is a mistake.',
    failedTitle: 'The conversation can’t be opened just now',
    failedText:
      'The service did not answer. Check your connection, then open the conversation again from where you came.',
  },
  de: {
    conversation: 'Unterhaltung',
    back: 'Zurück zu {host}',
    ended:
      'Dieser Link ist abgelaufen. Gehen Sie zurück zur vorherigen Seite, um die Unterhaltung fortzusetzen.',
    freshTitle: 'Diese Seite braucht einen neuen Link',
    freshText:
      'Zu Ihrer Sicherheit gilt ein Link nur einmal, auch Neuladen hilft nicht. Öffnen Sie die Unterhaltung noch einmal von dort, woher Sie gekommen sind.',
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
    ended: 'Ce lien a expiré. Revenez à la page précédente pour continuer.',
    freshTitle: 'Cette page a besoin d’un nouveau lien',
    freshText:
      'Pour votre sécurité, un lien ne fonctionne qu’une fois, et recharger la page n’y change rien. Rouvrez la conversation depuis la page d’où vous venez.',
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
    ended: 'Este enlace ha caducado. Vuelve a la página anterior para continuar.',
    freshTitle: 'Esta página necesita un enlace nuevo',
    freshText:
      'Por tu seguridad, un enlace funciona una sola vez y recargar la página no lo recupera. Abre de nuevo la conversación desde donde viniste.',
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
    ended: 'Este link expirou. Volte à página anterior para continuar.',
    freshTitle: 'Esta página precisa de um novo link',
    freshText:
      'Para sua segurança, um link funciona uma única vez, e recarregar a página não o recupera. Abra a conversa novamente a partir de onde você veio.',
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
    ended: 'このリンクの有効期限が切れました。続けるには元のページにお戻りください。',
    freshTitle: '新しいリンクが必要です',
    freshText:
      '安全のため、リンクは1回だけ有効です。再読み込みしても元には戻りません。元のページから会話をもう一度開いてください。',
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
    ended: '此链接已过期。请返回原来的页面继续。',
    freshTitle: '此页面需要新的链接',
    freshText:
      '为了您的安全，对话链接只能使用一次，重新加载也无法恢复。请从原来的页面重新打开对话。',
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
    ended: 'انتهت صلاحية هذا الرابط. عُد إلى الصفحة السابقة للمتابعة.',
    freshTitle: 'تحتاج هذه الصفحة إلى رابط جديد',
    freshText:
      'حفاظًا على أمانك يعمل رابط المحادثة مرة واحدة، ولا تعيده إعادة التحميل. افتح المحادثة مجددًا من حيث أتيت.',
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
    ended: 'תוקף הקישור פג. כדי להמשיך יש לחזור לדף הקודם.',
    freshTitle: 'לדף הזה דרוש קישור חדש',
    freshText:
      'למען הבטיחות, קישור לשיחה פועל פעם אחת בלבד, וטעינה מחדש אינה מחזירה אותו. יש לפתוח את השיחה שוב מהדף הקודם.',
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
    ended: 'इस लिंक की अवधि समाप्त हो गई है। आगे बढ़ने के लिए पिछले पेज पर वापस जाएँ।',
    freshTitle: 'इस पेज को नया लिंक चाहिए',
    freshText:
      'आपकी सुरक्षा के लिए लिंक एक ही बार काम करता है, और पेज फिर से लोड करने पर वापस नहीं आता। जहाँ से आए थे वहीं से बातचीत फिर खोलें।',
    usedTitle: 'यह लिंक इस्तेमाल हो चुका है या इसकी अवधि समाप्त हो गई है',
    usedText:
      'बातचीत का लिंक एक मिनट के भीतर एक बार काम करता है। जहाँ यह मिला था वहाँ जाकर बातचीत फिर खोलें।',
    blockedTitle: 'यह बातचीत आपके लिए खुली नहीं है',
    blockedText: 'आपको बुलाने वाली साइट ने इसे बंद कर दिया है। गलती लगे तो उनसे पूछें।',
    failedTitle: 'बातचीत अभी नहीं खुल सकती',
    failedText: 'सेवा ने जवाब नहीं दिया। अपना कनेक्शन जाँचें, फिर बातचीत दोबारा खोलें।',
  },
};
