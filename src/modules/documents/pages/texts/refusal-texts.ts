/** The texts of mails to those who submitted a document that an approver rejected or returned, in one language. */
export interface RefusalTexts {
  rejected: { subject: (title: string) => string; opening: (name: string) => string; advice: string };
  returned: { subject: (title: string) => string; opening: (name: string) => string; advice: string };
}

const EN: RefusalTexts = {
  rejected: {
    subject: (title) => `Rejected: ${title}`,
    opening: (name) => `${name} has rejected a document.`,
    advice: 'The document ends here. Create a new one if you still need it.',
  },
  returned: {
    subject: (title) => `Returned for changes: ${title}`,
    opening: (name) => `${name} has returned a document for changes.`,
    advice: 'Change it and submit it again.',
  },
};

const DE: RefusalTexts = {
  rejected: {
    subject: (title) => `Abgelehnt: ${title}`,
    opening: (name) => `${name} hat ein Dokument abgelehnt.`,
    advice: 'Das Dokument endet hier. Erstellen Sie ein neues, wenn Sie es noch brauchen.',
  },
  returned: {
    subject: (title) => `Zur Änderung zurückgegeben: ${title}`,
    opening: (name) => `${name} hat ein Dokument zur Änderung zurückgegeben.`,
    advice: 'Ändern Sie es und reichen Sie es noch einmal ein.',
  },
};

const FR: RefusalTexts = {
  rejected: {
    subject: (title) => `Rejeté\u00a0: ${title}`,
    opening: (name) => `${name} a rejeté un document.`,
    advice: 'Le document s’arrête là. Créez-en un nouveau si vous en avez encore besoin.',
  },
  returned: {
    subject: (title) => `Renvoyé pour modification\u00a0: ${title}`,
    opening: (name) => `${name} a renvoyé un document pour modification.`,
    advice: 'Modifiez-le et soumettez-le de nouveau.',
  },
};

const ES: RefusalTexts = {
  rejected: {
    subject: (title) => `Rechazado: ${title}`,
    opening: (name) => `${name} ha rechazado un documento.`,
    advice: 'El documento termina aquí. Cree uno nuevo si todavía lo necesita.',
  },
  returned: {
    subject: (title) => `Devuelto para cambios: ${title}`,
    opening: (name) => `${name} ha devuelto un documento para que se cambie.`,
    advice: 'Cámbielo y preséntelo de nuevo.',
  },
};

export const REFUSAL_TEXTS = { EN, DE, FR, ES } as const;
