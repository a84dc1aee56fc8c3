import type { EarlierSignature } from '../../model/core/placed-fields.js';
import type { Authentication, EarlierSigner } from '../../model/records/signature-party.entity.js';

/** The texts of a certificate in one language. */
export interface CertificateTexts {
  heading: string;
  facts: Record<'document' | 'number' | 'id' | 'executed' | 'sender' | 'sha256' | 'covers' | 'signedBefore', string>;
  /** Of a digital signature that the file already had. `partly`: it does not cover later changes. */
  before: { timeStamp: (name: string) => string; intact: string; broken: string; unknown: string; partly: string };
  party: Record<'name' | 'email' | 'earlier' | 'signed' | 'address' | 'browser' | 'by' | 'consent' | 'evidence', string>;
  /** Of a person who was to sign before. `at` is a moment. */
  earlier: Record<EarlierSigner['replaced_by'], (name: string, email: string, at: string) => string>;
  /** Above what a party filled in on the pages. */
  filledIn: string;
  authenticated: Record<Authentication, (email: string) => string>;
  /** Of a one-time link. */
  madeBy: (type: 'key' | 'member', id: string) => string;
  /** `pages`: of the document, which the certificate follows. */
  covered: (bytes: string, pages: number) => string;
  chain: string;
  /** Of a document that consists of several files. */
  several: {
    file: (position: number) => string;
    named: (name: string, pages: number) => string;
    sent: string;
    sentAs: (sha256: string, bytes: string) => string;
    signed: string;
    covered: string;
    seal: string;
  };
  seal: string;
  timeStamp: string;
}

const EN: CertificateTexts = {
  heading: 'Signature certificate',
  facts: {
    document: 'Document',
    number: 'Number',
    id: 'Identifier',
    executed: 'Executed',
    sender: 'Sent by',
    sha256: 'SHA-256 of the document',
    covers: 'The hash covers',
    signedBefore: 'Digitally signed before',
  },
  before: {
    timeStamp: (name) => `Time stamp of ${name}`,
    intact: 'unchanged since',
    broken: 'changed since, so that the signature is invalid',
    unknown: 'signed by a method that is not checked',
    partly: 'followed by changes that the signature does not cover',
  },
  party: {
    name: 'Name',
    email: 'E-mail',
    earlier: 'Previously',
    signed: 'Signed',
    address: 'IP address',
    browser: 'Browser',
    by: 'Authenticated by',
    consent: 'Agreed to',
    evidence: 'Evidence',
  },
  earlier: {
    party: (name, email, at) => `${name} (${email}), who passed the document on at ${at}`,
    sender: (name, email, at) => `${name} (${email}), whom the organization replaced at ${at}`,
  },
  filledIn: 'Filled in',
  authenticated: {
    mailed_link: (email) => `A secret link in a mail to ${email}`,
    mailed_link_and_code: (email) => `A secret link in a mail to ${email}, and a code from a second mail to this address`,
    embedded_link: () => 'A one-time link that the organization showed on a page of its own',
    embedded_link_and_code: (email) =>
      `A one-time link that the organization showed on a page of its own, and a code from a mail to ${email}`,
  },
  madeBy: (type, id) => `The link was made by ${type === 'key' ? 'API key' : 'member'} ${id}`,
  covered: (bytes, pages) =>
    `The first ${bytes} bytes of this file: ${pages === 1 ? 'page 1' : `pages 1 to ${pages}`} as sent to the parties, before they signed`,
  chain:
    'The evidence of each party is the SHA-256 of the evidence of the previous party (for the first party, of the hash of the document) ' +
    'followed by the facts above in canonical JSON. A change to any fact, or to the order of the signatures, changes every later hash.',
  several: {
    file: (position) => `File ${position}`,
    named: (name, pages) => `${name}; ${pages} ${pages === 1 ? 'page' : 'pages'}`,
    sent: 'SHA-256 as sent',
    sentAs: (sha256, bytes) => `${sha256}; the first ${bytes} bytes of the signed file`,
    signed: 'SHA-256 as signed',
    covered: 'The hashes of the files below as they were sent to the parties, in hexadecimal, each followed by a line feed',
    seal:
      'Each of the files and this certificate has a digital seal. ' +
      'A PDF reader that checks digital signatures shows who sealed it and whether it was changed since.',
  },
  seal:
    'The file has a digital seal over all of its pages. ' +
    'A PDF reader that checks digital signatures shows who sealed it and whether it was changed since.',
  timeStamp: 'A time stamp of an independent authority in the seal proves when it was made.',
};

const DE: CertificateTexts = {
  heading: 'Nachweis der Unterschriften',
  facts: {
    document: 'Dokument',
    number: 'Nummer',
    id: 'Kennung',
    executed: 'Abgeschlossen',
    sender: 'Gesendet von',
    sha256: 'SHA-256 des Dokuments',
    covers: 'Der Hash umfasst',
    signedBefore: 'Zuvor digital signiert',
  },
  before: {
    timeStamp: (name) => `Zeitstempel von ${name}`,
    intact: 'seither unverändert',
    broken: 'seither verändert, die Signatur ist ungültig',
    unknown: 'Verfahren nicht geprüft',
    partly: 'gefolgt von Änderungen, welche die Signatur nicht umfasst',
  },
  party: {
    name: 'Name',
    email: 'E-Mail',
    earlier: 'Zuvor',
    signed: 'Unterschrieben',
    address: 'IP-Adresse',
    browser: 'Browser',
    by: 'Ausgewiesen durch',
    consent: 'Erklärung',
    evidence: 'Beleg',
  },
  earlier: {
    party: (name, email, at) => `${name} (${email}); hat das Dokument weitergegeben: ${at}`,
    sender: (name, email, at) => `${name} (${email}); von der Organisation ersetzt: ${at}`,
  },
  filledIn: 'Ausgefüllt',
  authenticated: {
    mailed_link: (email) => `Einen geheimen Link in einer Mail an ${email}`,
    mailed_link_and_code: (email) => `Einen geheimen Link in einer Mail an ${email} und einen Code aus einer zweiten Mail an diese Adresse`,
    embedded_link: () => 'Einen einmaligen Link, den die Organisation auf einer eigenen Seite gezeigt hat',
    embedded_link_and_code: (email) =>
      `Einen einmaligen Link, den die Organisation auf einer eigenen Seite gezeigt hat, und einen Code aus einer Mail an ${email}`,
  },
  madeBy: (type, id) => `Den Link hat ${type === 'key' ? 'der API-Schlüssel' : 'das Mitglied'} ${id} erstellt`,
  covered: (bytes, pages) =>
    `Die ersten ${bytes} Bytes dieser Datei: ${pages === 1 ? 'Seite 1' : `die Seiten 1 bis ${pages}`}, wie sie den ` +
    `Parteien vor der Unterschrift vorlagen`,
  chain:
    'Der Beleg jeder Partei ist der SHA-256 aus dem Beleg der vorigen Partei (bei der ersten Partei aus dem Hash des Dokuments) und den ' +
    'Angaben oben als kanonischem JSON. Jede Änderung einer Angabe oder der Reihenfolge der Unterschriften ändert alle folgenden Belege.',
  several: {
    file: (position) => `Datei ${position}`,
    named: (name, pages) => `${name}; ${pages} ${pages === 1 ? 'Seite' : 'Seiten'}`,
    sent: 'SHA-256 beim Versand',
    sentAs: (sha256, bytes) => `${sha256}; die ersten ${bytes} Bytes der unterschriebenen Datei`,
    signed: 'SHA-256 unterschrieben',
    covered: 'Die Hashes der Dateien unten, wie sie den Parteien gesendet wurden, hexadezimal, jeder gefolgt von einem Zeilenvorschub',
    seal:
      'Jede der Dateien und dieser Nachweis tragen ein digitales Siegel. ' +
      'Ein PDF-Programm, das digitale Signaturen prüft, zeigt, wer gesiegelt hat und ob die Datei seither verändert wurde.',
  },
  seal:
    'Die Datei hat ein digitales Siegel über alle ihre Seiten. ' +
    'Ein PDF-Programm, das digitale Signaturen prüft, zeigt, wer sie gesiegelt hat und ob sie seither verändert wurde.',
  timeStamp: 'Ein Zeitstempel einer unabhängigen Stelle im Siegel beweist, wann es entstanden ist.',
};

const FR: CertificateTexts = {
  heading: 'Certificat de signature',
  facts: {
    document: 'Document',
    number: 'Numéro',
    id: 'Identifiant',
    executed: 'Signé par tous',
    sender: 'Envoyé par',
    sha256: 'SHA-256 du document',
    covers: 'L’empreinte couvre',
    signedBefore: 'Signé numériquement auparavant',
  },
  before: {
    timeStamp: (name) => `Horodatage de ${name}`,
    intact: 'inchangé depuis',
    broken: 'modifié depuis, signature non valide',
    unknown: 'procédé non vérifié',
    partly: 'suivi de modifications que la signature ne couvre pas',
  },
  party: {
    name: 'Nom',
    email: 'E-mail',
    earlier: 'Auparavant',
    signed: 'Signé',
    address: 'Adresse IP',
    browser: 'Navigateur',
    by: 'Authentification',
    consent: 'Accord donné',
    evidence: 'Preuve',
  },
  earlier: {
    party: (name, email, at) => `${name} (${email}), qui a transmis le document (${at})`,
    sender: (name, email, at) => `${name} (${email}), signataire remplacé par l’organisation (${at})`,
  },
  filledIn: 'Rempli',
  authenticated: {
    mailed_link: (email) => `Un lien secret envoyé par e-mail à ${email}`,
    mailed_link_and_code: (email) => `Un lien secret envoyé par e-mail à ${email}, et un code d’un second e-mail à cette adresse`,
    embedded_link: () => 'Un lien à usage unique que l’organisation a affiché sur sa propre page',
    embedded_link_and_code: (email) =>
      `Un lien à usage unique que l’organisation a affiché sur sa propre page, et un code d’un e-mail à ${email}`,
  },
  madeBy: (type, id) => `Le lien a été créé par ${type === 'key' ? 'la clé d’API' : 'le membre'} ${id}`,
  covered: (bytes, pages) =>
    `Les ${bytes} premiers octets de ce fichier\u00a0: ${pages === 1 ? 'la page 1' : `les pages 1 à ${pages}`} telles ` +
    `qu’envoyées aux parties avant leur signature`,
  chain:
    'La preuve de chaque partie est le SHA-256 de la preuve de la partie précédente (pour la première, de l’empreinte ' +
    'du document) suivie ' +
    'des données ci-dessus en JSON canonique. Toute modification d’une donnée ou de l’ordre des signatures change ' +
    'toutes les preuves suivantes.',
  several: {
    file: (position) => `Fichier ${position}`,
    named: (name, pages) => `${name} ; ${pages} ${pages === 1 ? 'page' : 'pages'}`,
    sent: 'SHA-256 à l’envoi',
    sentAs: (sha256, bytes) => `${sha256} ; les ${bytes} premiers octets du fichier signé`,
    signed: 'SHA-256 signé',
    covered:
      'Les empreintes des fichiers ci-dessous tels qu’ils ont été envoyés aux parties, en hexadécimal, chacune suivie d’un saut de ligne',
    seal:
      'Chacun des fichiers et ce certificat portent un sceau numérique. ' +
      'Un lecteur PDF qui vérifie les signatures numériques montre qui l’a scellé et s’il a été modifié depuis.',
  },
  seal:
    'Le fichier porte un sceau numérique sur toutes ses pages. ' +
    'Un lecteur PDF qui vérifie les signatures numériques montre qui l’a scellé et s’il a été modifié depuis.',
  timeStamp: 'Un horodatage d’une autorité indépendante dans le sceau prouve sa date.',
};

const ES: CertificateTexts = {
  heading: 'Certificado de firmas',
  facts: {
    document: 'Documento',
    number: 'Número',
    id: 'Identificador',
    executed: 'Firmado por todos',
    sender: 'Enviado por',
    sha256: 'SHA-256 del documento',
    covers: 'El hash abarca',
    signedBefore: 'Firmado digitalmente antes',
  },
  before: {
    timeStamp: (name) => `Sello de tiempo de ${name}`,
    intact: 'sin cambios desde entonces',
    broken: 'modificado después, la firma no es válida',
    unknown: 'método no comprobado',
    partly: 'seguido de cambios que la firma no abarca',
  },
  party: {
    name: 'Nombre',
    email: 'Correo',
    earlier: 'Antes',
    signed: 'Firmado',
    address: 'Dirección IP',
    browser: 'Navegador',
    by: 'Autenticación',
    consent: 'Conformidad',
    evidence: 'Prueba',
  },
  earlier: {
    party: (name, email, at) => `${name} (${email}), que pasó el documento a otra persona (${at})`,
    sender: (name, email, at) => `${name} (${email}); la organización cambió al firmante (${at})`,
  },
  filledIn: 'Rellenado',
  authenticated: {
    mailed_link: (email) => `Un enlace secreto en un correo a ${email}`,
    mailed_link_and_code: (email) => `Un enlace secreto en un correo a ${email} y un código de un segundo correo a esta dirección`,
    embedded_link: () => 'Un enlace de un solo uso que la organización mostró en una página propia',
    embedded_link_and_code: (email) =>
      `Un enlace de un solo uso que la organización mostró en una página propia y un código de un correo a ${email}`,
  },
  madeBy: (type, id) => `El enlace lo creó ${type === 'key' ? 'la clave de API' : 'el miembro'} ${id}`,
  covered: (bytes, pages) =>
    `Los primeros ${bytes} bytes de este archivo: ${pages === 1 ? 'la página 1' : `las páginas 1 a ${pages}`} tal como ` +
    `se enviaron a las partes antes de firmar`,
  chain:
    'La prueba de cada parte es el SHA-256 de la prueba de la parte anterior (para la primera, del hash del documento) ' +
    'seguida de los datos ' +
    'de arriba en JSON canónico. Cualquier cambio de un dato o del orden de las firmas cambia todas las pruebas siguientes.',
  several: {
    file: (position) => `Archivo ${position}`,
    named: (name, pages) => `${name}; ${pages} ${pages === 1 ? 'página' : 'páginas'}`,
    sent: 'SHA-256 al enviar',
    sentAs: (sha256, bytes) => `${sha256}; los primeros ${bytes} bytes del archivo firmado`,
    signed: 'SHA-256 firmado',
    covered:
      'Los hashes de los archivos siguientes tal como se enviaron a las partes, en hexadecimal, cada uno seguido de un salto de línea',
    seal:
      'Cada uno de los archivos y este certificado llevan un sello digital. ' +
      'Un lector de PDF que comprueba firmas digitales muestra quién lo selló y si se ha modificado desde entonces.',
  },
  seal:
    'El archivo lleva un sello digital sobre todas sus páginas. ' +
    'Un lector de PDF que comprueba firmas digitales muestra quién lo selló y si se ha modificado desde entonces.',
  timeStamp: 'Un sello de tiempo de una autoridad independiente prueba cuándo se hizo.',
};

const BY_LANGUAGE: Readonly<Record<string, CertificateTexts>> = { en: EN, de: DE, fr: FR, es: ES };

/** The texts in a language (BCP 47), or else in English, with the language that they are in. */
export function certificateTexts(language: string): { texts: CertificateTexts; language: string } {
  const base = language.split('-')[0];
  return base in BY_LANGUAGE ? { texts: BY_LANGUAGE[base], language } : { texts: EN, language: 'en' };
}

/** A digital signature that the file already had, in one line. */
export function signatureLine(
  { signer, signed_at, kind, is_intact, covers_file }: EarlierSignature,
  { before }: Pick<CertificateTexts, 'before'>,
): string {
  const name = signer.replace(/\s+/g, ' ') || '—';
  const subject = kind === 'time_stamp' ? before.timeStamp(name) : name;
  const state = is_intact === null ? before.unknown : is_intact ? before.intact : before.broken;
  return [subject, ...(signed_at ? [moment(signed_at)] : []), state, ...(covers_file ? [] : [before.partly])].join('; ');
}

/** To the second, in UTC: evidence must not depend on the reader's time zone. */
export function moment(time: string): string {
  return `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
