/** The texts of mails to those who sent a document, and to those who get a copy without signing, in one language. */
export interface CopyTexts {
  sent: { subject: (title: string) => string; opening: (organization: string) => string; link: string; button: string };
  /** What a document is, for those who get a copy and had no mail about it yet. */
  planned: (organization: string) => string;
  executed: Record<'copied' | 'sender', (organization: string) => string>;
  attached: string;
  expired: { subject: (title: string) => string; opening: string; unsigned: string; advice: string };
  /** For those who were asked to sign a document that ended. */
  nothingToSign: string;
  ending: {
    subject: (title: string) => string;
    opening: (organization: string) => string;
    senderSubject: (title: string) => string;
    sender: string;
  };
  /** Above a personal message. */
  message: (sender: string) => string;
}

const EN: CopyTexts = {
  sent: {
    subject: (title) => `Copy for you: ${title}`,
    opening: (organization) =>
      `${organization} sends you a copy of a document that others are asked to sign. You need not do anything; ` +
      'you will also receive the signed PDF.',
    link: 'Read it here:',
    button: 'Read the document',
  },
  planned: (organization) =>
    `${organization} has asked others to sign this document, and has named you as a recipient of a copy of the signed document.`,
  executed: {
    copied: (organization) => `All parties have signed a document of which ${organization} sends you a copy.`,
    sender: () => 'All parties have signed the document.',
  },
  attached: 'The signed PDF is attached.',
  expired: {
    subject: (title) => `Not signed in time: ${title}`,
    opening: 'Not all parties have signed the document in time, so it has expired.',
    unsigned: 'Not signed by',
    advice: 'Reopen the document if you want to send it again.',
  },
  nothingToSign: 'The document can no longer be signed, so you need not do anything.',
  ending: {
    subject: (title) => `Please sign soon: ${title}`,
    opening: (organization) => `${organization} still waits for your signature, and the time to sign ends soon.`,
    senderSubject: (title) => `Deadline soon: ${title}`,
    sender: 'Not all parties have signed the document yet, and the time to sign ends soon. They were reminded.',
  },
  message: (sender) => `${sender} writes:`,
};

const DE: CopyTexts = {
  sent: {
    subject: (title) => `Kopie für Sie: ${title}`,
    opening: (organization) =>
      `${organization} sendet Ihnen die Kopie eines Dokuments, das andere unterschreiben sollen. Sie müssen nichts tun; ` +
      'auch das unterschriebene PDF erhalten Sie.',
    link: 'Hier können Sie es lesen:',
    button: 'Dokument lesen',
  },
  planned: (organization) =>
    `${organization} hat andere gebeten, dieses Dokument zu unterschreiben, und nennt Sie als Empfänger einer unterschriebenen Kopie.`,
  executed: {
    copied: (organization) => `Alle haben ein Dokument unterschrieben, von dem ${organization} Ihnen eine Kopie sendet.`,
    sender: () => 'Alle haben das Dokument unterschrieben.',
  },
  attached: 'Das unterschriebene PDF ist angehängt.',
  expired: {
    subject: (title) => `Nicht rechtzeitig unterschrieben: ${title}`,
    opening: 'Nicht alle haben das Dokument rechtzeitig unterschrieben. Es ist daher abgelaufen.',
    unsigned: 'Nicht unterschrieben von',
    advice: 'Öffnen Sie das Dokument wieder, wenn Sie es noch einmal senden möchten.',
  },
  nothingToSign: 'Das Dokument kann nicht mehr unterschrieben werden. Sie müssen also nichts tun.',
  ending: {
    subject: (title) => `Bitte bald unterschreiben: ${title}`,
    opening: (organization) => `${organization} wartet noch auf Ihre Unterschrift, und die Frist endet bald.`,
    senderSubject: (title) => `Frist endet bald: ${title}`,
    sender: 'Noch haben nicht alle das Dokument unterschrieben, und die Frist endet bald. Sie wurden erinnert.',
  },
  message: (sender) => `${sender} schreibt:`,
};

const FR: CopyTexts = {
  sent: {
    subject: (title) => `Copie pour vous\u00a0: ${title}`,
    opening: (organization) =>
      `${organization} vous envoie la copie d’un document que d’autres sont invités à signer. Vous n’avez rien à faire ; ` +
      'vous recevrez aussi le PDF signé.',
    link: 'Lisez-le ici\u00a0:',
    button: 'Lire le document',
  },
  planned: (organization) =>
    `${organization} a demandé à d’autres personnes de signer ce document et vous a désigné pour recevoir une copie du document signé.`,
  executed: {
    copied: (organization) => `Toutes les parties ont signé un document dont ${organization} vous envoie une copie.`,
    sender: () => 'Toutes les parties ont signé le document.',
  },
  attached: 'Le PDF signé est joint.',
  expired: {
    subject: (title) => `Non signé à temps\u00a0: ${title}`,
    opening: 'Toutes les parties n’ont pas signé le document à temps ; il a donc expiré.',
    unsigned: 'Non signé par',
    advice: 'Rouvrez le document si vous voulez l’envoyer de nouveau.',
  },
  nothingToSign: 'Le document ne peut plus être signé ; vous n’avez donc rien à faire.',
  ending: {
    subject: (title) => `À signer bientôt\u00a0: ${title}`,
    opening: (organization) => `${organization} attend encore votre signature, et le délai se termine bientôt.`,
    senderSubject: (title) => `Échéance proche\u00a0: ${title}`,
    sender: 'Toutes les parties n’ont pas encore signé le document, et le délai se termine bientôt. Un rappel leur a été envoyé.',
  },
  message: (sender) => `${sender} vous écrit\u00a0:`,
};

const ES: CopyTexts = {
  sent: {
    subject: (title) => `Copia para usted: ${title}`,
    opening: (organization) =>
      `${organization} le envía una copia de un documento que otras personas deben firmar. No tiene que hacer nada; ` +
      'también recibirá el PDF firmado.',
    link: 'Léalo aquí:',
    button: 'Leer el documento',
  },
  planned: (organization) =>
    `${organization} ha pedido a otras personas que firmen este documento y le ha indicado como destinatario de una copia del firmado.`,
  executed: {
    copied: (organization) => `Todas las partes han firmado un documento del que ${organization} le envía una copia.`,
    sender: () => 'Todas las partes han firmado el documento.',
  },
  attached: 'El PDF firmado está adjunto.',
  expired: {
    subject: (title) => `No firmado a tiempo: ${title}`,
    opening: 'No todas las partes han firmado el documento a tiempo, así que ha caducado.',
    unsigned: 'Sin firmar por',
    advice: 'Vuelva a abrir el documento si quiere enviarlo de nuevo.',
  },
  nothingToSign: 'El documento ya no se puede firmar, así que no tiene que hacer nada.',
  ending: {
    subject: (title) => `Firme pronto, por favor: ${title}`,
    opening: (organization) => `${organization} todavía espera su firma, y el plazo termina pronto.`,
    senderSubject: (title) => `El plazo termina pronto: ${title}`,
    sender: 'No todas las partes han firmado todavía el documento, y el plazo termina pronto. Se les ha enviado un recordatorio.',
  },
  message: (sender) => `${sender} escribe:`,
};

export const COPY_TEXTS = { EN, DE, FR, ES } as const;
