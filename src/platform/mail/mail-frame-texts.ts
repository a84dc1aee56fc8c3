/** The texts of the frame of mails in one language. */
export interface FrameTexts {
  /** Between a label and its value. */
  colon: string;
  /** Before the address of the action, for those whose button does not work. */
  otherwise: string;
  /** Where questions and complaints go. */
  replies(address: string): string;
  contact(organization: string): string;
}

const EN: FrameTexts = {
  colon: ':',
  otherwise: 'If the button does not work, open this address:',
  replies: (address) => `Questions or complaints? Reply to this mail; replies go to ${address}.`,
  contact: (organization) => `Questions or complaints? Write to ${organization}.`,
};

const TEXTS: Readonly<Record<string, FrameTexts>> = {
  de: {
    colon: ':',
    otherwise: 'Wenn die Schaltfläche nicht funktioniert, öffnen Sie diese Adresse:',
    replies: (address) => `Fragen oder Beschwerden? Antworten Sie auf diese Mail; Antworten gehen an ${address}.`,
    contact: (organization) => `Fragen oder Beschwerden? Wenden Sie sich an ${organization}.`,
  },
  fr: {
    colon: '\u00a0:',
    otherwise: 'Si le bouton ne fonctionne pas, ouvrez cette adresse\u00a0:',
    replies: (address) => `Une question ou une réclamation\u00a0? Répondez à ce courriel\u00a0; votre réponse parvient à ${address}.`,
    contact: (organization) => `Une question ou une réclamation\u00a0? Adressez-vous à ${organization}.`,
  },
  es: {
    colon: ':',
    otherwise: 'Si el botón no funciona, abra esta dirección:',
    replies: (address) => `¿Preguntas o quejas? Responda a este correo; las respuestas llegan a ${address}.`,
    contact: (organization) => `¿Preguntas o quejas? Diríjase a ${organization}.`,
  },
};

export function frameTexts(language = 'en'): FrameTexts {
  return TEXTS[language.split('-')[0]] ?? EN;
}

const RIGHT_TO_LEFT = new Set(['ar', 'dv', 'fa', 'he', 'ku', 'ps', 'sd', 'ug', 'ur', 'yi']);

export function isRightToLeft(language: string): boolean {
  return RIGHT_TO_LEFT.has(language.split('-')[0]);
}
