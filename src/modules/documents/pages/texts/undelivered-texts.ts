type Undelivered = {
  /** `email`: the address that rejected the mail. */
  opening: (name: string, email: string) => string;
  advice: string;
};

/** The texts of mails that tell the sender of a document that another mail could not be delivered, in one language. */
export interface UndeliveredTexts {
  subject: (title: string) => string;
  /** Above what the mail server said. */
  said: string;
  /** For those who get a copy. */
  known: string;
  signature: Undelivered;
  copy: Undelivered;
  executed: Undelivered;
  decision: Undelivered;
  /** The one-time code of a party that signs. */
  code: Undelivered;
}

const EN: UndeliveredTexts = {
  subject: (title) => `Not delivered: ${title}`,
  said: 'The mail server said:',
  known: 'You need not do anything; the sender of the document was told, too.',
  signature: {
    opening: (name, email) => `${name} could not be asked to sign, because the mail to ${email} was rejected.`,
    advice:
      'If the address is right, remind the party once its mailbox accepts mail again. ' +
      'If it is wrong, change the party. If no party could be asked, send the document again.',
  },
  copy: {
    opening: (name, email) => `${name} did not get the copy to read, because the mail to ${email} was rejected.`,
    advice: 'Check the address, and send this person a link to the document in another way, for example a share link.',
  },
  executed: {
    opening: (name, email) => `${name} did not get the signed document, because the mail to ${email} was rejected.`,
    advice: 'Check the address, and send this person the signed file in another way.',
  },
  decision: {
    opening: (name, email) => `${name} could not be asked for a decision, because the mail to ${email} was rejected.`,
    advice: 'If the address is wrong, ask an administrator of your organization to correct it. Then remind this person.',
  },
  code: {
    opening: (name, email) => `${name} did not get the code to sign, because the mail to ${email} was rejected.`,
    advice:
      'If the address is right, the party can request a new code on the page once its mailbox accepts mail again. ' +
      'If it is wrong, change the party.',
  },
};

const DE: UndeliveredTexts = {
  subject: (title) => `Nicht zugestellt: ${title}`,
  said: 'Der Mailserver schrieb:',
  known: 'Sie müssen nichts tun; auch wer das Dokument gesendet hat, weiß davon.',
  signature: {
    opening: (name, email) => `${name} konnte nicht um die Unterschrift gebeten werden, weil die Mail an ${email} abgewiesen wurde.`,
    advice:
      'Wenn die Adresse stimmt, erinnern Sie die Partei, sobald ihr Postfach wieder Mails annimmt. ' +
      'Wenn sie falsch ist, ändern Sie die Partei. Wenn keine Partei erreicht wurde, senden Sie das Dokument noch einmal.',
  },
  copy: {
    opening: (name, email) => `${name} hat die Kopie zum Lesen nicht erhalten, weil die Mail an ${email} abgewiesen wurde.`,
    advice: 'Prüfen Sie die Adresse, und senden Sie dieser Person auf anderem Weg einen Link zum Dokument, etwa einen Freigabelink.',
  },
  executed: {
    opening: (name, email) => `${name} hat das unterschriebene Dokument nicht erhalten, weil die Mail an ${email} abgewiesen wurde.`,
    advice: 'Prüfen Sie die Adresse, und senden Sie dieser Person die unterschriebene Datei auf anderem Weg.',
  },
  decision: {
    opening: (name, email) => `${name} konnte nicht um eine Entscheidung gebeten werden, weil die Mail an ${email} abgewiesen wurde.`,
    advice:
      'Wenn die Adresse falsch ist, lassen Sie sie von einem Administrator Ihrer Organisation berichtigen. Erinnern Sie die Person dann.',
  },
  code: {
    opening: (name, email) => `${name} hat den Code zum Unterschreiben nicht erhalten, weil die Mail an ${email} abgewiesen wurde.`,
    advice:
      'Wenn die Adresse stimmt, kann die Partei auf der Seite einen neuen Code anfordern, sobald ihr Postfach wieder Mails annimmt. ' +
      'Wenn sie falsch ist, ändern Sie die Partei.',
  },
};

const FR: UndeliveredTexts = {
  subject: (title) => `Non distribué\u00a0: ${title}`,
  said: 'Le serveur de courriel a répondu\u00a0:',
  known: 'Vous n’avez rien à faire\u00a0; la personne qui a envoyé le document en est aussi informée.',
  signature: {
    opening: (name, email) => `${name} n’a pas pu être invité à signer, car le courriel à ${email} a été refusé.`,
    advice:
      'Si l’adresse est juste, relancez la partie dès que sa boîte accepte de nouveau les courriels. ' +
      'Si elle est fausse, changez la partie. Si aucune partie n’a pu être jointe, envoyez le document de nouveau.',
  },
  copy: {
    opening: (name, email) => `${name} n’a pas reçu la copie à lire, car le courriel à ${email} a été refusé.`,
    advice: 'Vérifiez l’adresse et envoyez à cette personne un lien vers le document par une autre voie, par exemple un lien de partage.',
  },
  executed: {
    opening: (name, email) => `${name} n’a pas reçu le document signé, car le courriel à ${email} a été refusé.`,
    advice: 'Vérifiez l’adresse et envoyez à cette personne le fichier signé par une autre voie.',
  },
  decision: {
    opening: (name, email) => `${name} n’a pas pu être invité à décider, car le courriel à ${email} a été refusé.`,
    advice: 'Si l’adresse est fausse, faites-la corriger par un administrateur de votre organisation. Relancez ensuite cette personne.',
  },
  code: {
    opening: (name, email) => `${name} n’a pas reçu le code pour signer, car le courriel à ${email} a été refusé.`,
    advice:
      'Si l’adresse est correcte, la partie peut demander un nouveau code sur la page dès que sa boîte accepte de nouveau les courriels. ' +
      'Si elle est fausse, modifiez la partie.',
  },
};

const ES: UndeliveredTexts = {
  subject: (title) => `No entregado: ${title}`,
  said: 'El servidor de correo respondió:',
  known: 'No tiene que hacer nada; quien envió el documento también lo sabe.',
  signature: {
    opening: (name, email) => `No se pudo pedir la firma a ${name}, porque el correo a ${email} fue rechazado.`,
    advice:
      'Si la dirección es correcta, envíe un recordatorio cuando el buzón vuelva a aceptar correo. ' +
      'Si es incorrecta, cambie la parte. Si no se pudo avisar a ninguna parte, envíe el documento de nuevo.',
  },
  copy: {
    opening: (name, email) => `${name} no recibió la copia para leer, porque el correo a ${email} fue rechazado.`,
    advice: 'Compruebe la dirección y envíe a esta persona un enlace al documento por otra vía, por ejemplo un enlace compartido.',
  },
  executed: {
    opening: (name, email) => `${name} no recibió el documento firmado, porque el correo a ${email} fue rechazado.`,
    advice: 'Compruebe la dirección y envíe a esta persona el archivo firmado por otra vía.',
  },
  decision: {
    opening: (name, email) => `No se pudo pedir una decisión a ${name}, porque el correo a ${email} fue rechazado.`,
    advice: 'Si la dirección es incorrecta, pida a un administrador de su organización que la corrija. Después envíe un recordatorio.',
  },
  code: {
    opening: (name, email) => `${name} no recibió el código para firmar, porque el correo a ${email} fue rechazado.`,
    advice:
      'Si la dirección es correcta, la parte puede pedir un código nuevo en la página cuando su buzón vuelva a aceptar correos. ' +
      'Si es incorrecta, cambie la parte.',
  },
};

export const UNDELIVERED_TEXTS = { EN, DE, FR, ES } as const;
