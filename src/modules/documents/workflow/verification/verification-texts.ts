import type { VerificationDto } from './verification.dto.js';

/** The texts of the page that verifies files, in one language. */
export interface VerificationTexts {
  title: string;
  lead: string;
  file: string;
  hint: string;
  button: string;
  again: string;
  problem: string;
  problems: { none: string; noPdf: string; tooLarge: string; busy: string };
  verdicts: Record<VerificationDto['verdict'], string>;
  executed: string;
  unsigned: string;
  facts: { organization: string; number: string; completed: string; state: string; evidence: string; sha256: string; bytes: string };
  states: { revoked: string; superseded: string; expired: string; other: string };
  test: string;
  signedBy: string;
  evidence: Record<NonNullable<VerificationDto['document']>['evidence'], string>;
  signatures: string;
  noSignatures: string;
  intact: string;
  broken: string;
  unclear: string;
  timeStamp: string;
  covers: string;
  addedLater: string;
  trust: string;
}

const EN: VerificationTexts = {
  title: 'Verify a PDF',
  lead: 'See who signed or sealed a PDF, whether it was changed since, and whether it was made here. Your file is not stored.',
  file: 'PDF file',
  hint: 'At most 12 MiB.',
  button: 'Verify',
  again: 'Verify another file',
  problem: 'The file was not verified',
  problems: {
    none: 'Choose a file first.',
    noPdf: 'This file is not a PDF.',
    tooLarge: 'The file is too large.',
    busy: 'Many files are being verified at the moment. Try again in a minute.',
  },
  verdicts: {
    unchanged: 'This file is unchanged: it is byte by byte a file that was made here.',
    changed: 'This file was changed: it begins with a file that was made here, but something was added to it afterwards.',
    unknown: 'This file is not known here. Either it was made elsewhere, or it was changed since it was made.',
  },
  executed: 'All parties have signed this file.',
  unsigned: 'This is the file that the parties were asked to sign. It has no signatures.',
  facts: {
    organization: 'Sent by',
    number: 'Number',
    completed: 'Signed by all',
    state: 'Since then',
    evidence: 'Evidence',
    sha256: 'SHA-256',
    bytes: 'Bytes',
  },
  states: { revoked: 'revoked by the sender', superseded: 'replaced by another document', expired: 'expired', other: 'unchanged' },
  test: 'This document was made for a test: its signatures have no effect.',
  signedBy: 'Signed by',
  evidence: {
    intact: 'intact: calculated again, all hashes agree',
    broken: 'broken: the stored facts do not agree with their hashes',
    erased: 'the facts were erased when their retention period ended',
    none: 'none',
  },
  signatures: 'Signatures and seals in the file',
  noSignatures: 'The file has no signature or seal.',
  intact: 'valid: what it covers is unchanged',
  broken: 'not valid: what it covers was changed',
  unclear: 'made by a method that cannot be checked here',
  timeStamp: 'time stamp',
  covers: 'covers the whole file',
  addedLater: 'something was added to the file after it',
  trust: 'Whether a certificate is trusted is shown by your PDF reader.',
};

const DE: VerificationTexts = {
  title: 'PDF prüfen',
  lead:
    'Sehen Sie, wer ein PDF unterschrieben oder versiegelt hat, ob es seither verändert wurde und ob es hier entstanden ist. ' +
    'Ihre Datei wird nicht gespeichert.',
  file: 'PDF-Datei',
  hint: 'Höchstens 12 MiB.',
  button: 'Prüfen',
  again: 'Andere Datei prüfen',
  problem: 'Die Datei wurde nicht geprüft',
  problems: {
    none: 'Wählen Sie zuerst eine Datei aus.',
    noPdf: 'Diese Datei ist kein PDF.',
    tooLarge: 'Die Datei ist zu groß.',
    busy: 'Zurzeit werden viele Dateien geprüft. Versuchen Sie es in einer Minute noch einmal.',
  },
  verdicts: {
    unchanged: 'Diese Datei ist unverändert: Sie ist Byte für Byte eine Datei, die hier entstanden ist.',
    changed: 'Diese Datei wurde verändert: Sie beginnt mit einer Datei, die hier entstanden ist, aber danach wurde etwas hinzugefügt.',
    unknown: 'Diese Datei ist hier nicht bekannt. Entweder ist sie anderswo entstanden, oder sie wurde seither verändert.',
  },
  executed: 'Alle haben diese Datei unterschrieben.',
  unsigned: 'Das ist die Datei, die zur Unterschrift gesendet wurde. Sie hat keine Unterschriften.',
  facts: {
    organization: 'Gesendet von',
    number: 'Nummer',
    completed: 'Von allen unterschrieben',
    state: 'Seither',
    evidence: 'Belege',
    sha256: 'SHA-256',
    bytes: 'Bytes',
  },
  states: {
    revoked: 'vom Absender widerrufen',
    superseded: 'durch ein anderes Dokument ersetzt',
    expired: 'abgelaufen',
    other: 'unverändert',
  },
  test: 'Dieses Dokument entstand zum Test: Seine Unterschriften haben keine Wirkung.',
  signedBy: 'Unterschrieben von',
  evidence: {
    intact: 'vollständig: neu berechnet, alle Hashes stimmen überein',
    broken: 'gebrochen: Die gespeicherten Angaben stimmen nicht mit ihren Hashes überein',
    erased: 'Die Angaben wurden nach Ablauf ihrer Aufbewahrung gelöscht',
    none: 'keine',
  },
  signatures: 'Unterschriften und Siegel in der Datei',
  noSignatures: 'Die Datei hat weder Unterschrift noch Siegel.',
  intact: 'gültig: Was davon erfasst ist, ist unverändert',
  broken: 'nicht gültig: Was davon erfasst ist, wurde verändert',
  unclear: 'mit einem Verfahren erstellt, das hier nicht geprüft werden kann',
  timeStamp: 'Zeitstempel',
  covers: 'erfasst die ganze Datei',
  addedLater: 'danach wurde der Datei etwas hinzugefügt',
  trust: 'Ob einem Zertifikat vertraut wird, zeigt Ihr PDF-Programm.',
};

const FR: VerificationTexts = {
  title: 'Vérifier un PDF',
  lead: 'Voyez qui a signé ou scellé un PDF, s’il a été modifié depuis et s’il a été créé ici. Votre fichier n’est pas conservé.',
  file: 'Fichier PDF',
  hint: 'Au plus 12 Mio.',
  button: 'Vérifier',
  again: 'Vérifier un autre fichier',
  problem: 'Le fichier n’a pas été vérifié',
  problems: {
    none: 'Choisissez d’abord un fichier.',
    noPdf: 'Ce fichier n’est pas un PDF.',
    tooLarge: 'Le fichier est trop volumineux.',
    busy: 'De nombreux fichiers sont en cours de vérification. Réessayez dans une minute.',
  },
  verdicts: {
    unchanged: 'Ce fichier est inchangé\u00a0: il est octet pour octet un fichier créé ici.',
    changed: 'Ce fichier a été modifié\u00a0: il commence par un fichier créé ici, mais quelque chose y a été ajouté ensuite.',
    unknown: 'Ce fichier n’est pas connu ici. Il a été créé ailleurs, ou modifié depuis sa création.',
  },
  executed: 'Toutes les parties ont signé ce fichier.',
  unsigned: 'C’est le fichier que les parties ont été invitées à signer. Il n’a pas de signature.',
  facts: {
    organization: 'Envoyé par',
    number: 'Numéro',
    completed: 'Signé par tous',
    state: 'Depuis',
    evidence: 'Preuves',
    sha256: 'SHA-256',
    bytes: 'Octets',
  },
  states: { revoked: 'révoqué par l’expéditeur', superseded: 'remplacé par un autre document', expired: 'expiré', other: 'inchangé' },
  test: 'Ce document a été créé pour un test\u00a0: ses signatures sont sans effet.',
  signedBy: 'Signé par',
  evidence: {
    intact: 'intactes\u00a0: recalculées, toutes les empreintes concordent',
    broken: 'rompues\u00a0: les faits enregistrés ne concordent pas avec leurs empreintes',
    erased: 'les faits ont été effacés à la fin de leur conservation',
    none: 'aucune',
  },
  signatures: 'Signatures et sceaux du fichier',
  noSignatures: 'Le fichier n’a ni signature ni sceau.',
  intact: 'valable\u00a0: ce qu’elle couvre est inchangé',
  broken: 'non valable\u00a0: ce qu’elle couvre a été modifié',
  unclear: 'faite par une méthode qui ne peut pas être vérifiée ici',
  timeStamp: 'horodatage',
  covers: 'couvre tout le fichier',
  addedLater: 'quelque chose a été ajouté au fichier ensuite',
  trust: 'Votre lecteur de PDF indique si un certificat est digne de confiance.',
};

const ES: VerificationTexts = {
  title: 'Verificar un PDF',
  lead: 'Vea quién firmó o selló un PDF, si se modificó desde entonces y si se creó aquí. Su archivo no se guarda.',
  file: 'Archivo PDF',
  hint: 'Como máximo 12 MiB.',
  button: 'Verificar',
  again: 'Verificar otro archivo',
  problem: 'El archivo no se verificó',
  problems: {
    none: 'Elija primero un archivo.',
    noPdf: 'Este archivo no es un PDF.',
    tooLarge: 'El archivo es demasiado grande.',
    busy: 'Se están verificando muchos archivos. Inténtelo de nuevo en un minuto.',
  },
  verdicts: {
    unchanged: 'Este archivo no ha cambiado: es byte a byte un archivo creado aquí.',
    changed: 'Este archivo se modificó: empieza con un archivo creado aquí, pero después se le añadió algo.',
    unknown: 'Este archivo no se conoce aquí. O se creó en otro lugar, o se modificó desde que se creó.',
  },
  executed: 'Todas las partes han firmado este archivo.',
  unsigned: 'Este es el archivo que se pidió firmar a las partes. No tiene firmas.',
  facts: {
    organization: 'Enviado por',
    number: 'Número',
    completed: 'Firmado por todos',
    state: 'Desde entonces',
    evidence: 'Pruebas',
    sha256: 'SHA-256',
    bytes: 'Bytes',
  },
  states: { revoked: 'revocado por el remitente', superseded: 'sustituido por otro documento', expired: 'caducado', other: 'sin cambios' },
  test: 'Este documento se creó para una prueba: sus firmas no tienen efecto.',
  signedBy: 'Firmado por',
  evidence: {
    intact: 'intactas: calculadas de nuevo, todos los hashes coinciden',
    broken: 'rotas: los datos guardados no coinciden con sus hashes',
    erased: 'los datos se borraron al terminar su conservación',
    none: 'ninguna',
  },
  signatures: 'Firmas y sellos del archivo',
  noSignatures: 'El archivo no tiene firma ni sello.',
  intact: 'válida: lo que cubre no ha cambiado',
  broken: 'no válida: lo que cubre se modificó',
  unclear: 'hecha con un método que no se puede comprobar aquí',
  timeStamp: 'sello de tiempo',
  covers: 'cubre todo el archivo',
  addedLater: 'después se añadió algo al archivo',
  trust: 'Su lector de PDF indica si se confía en un certificado.',
};

const BY_LANGUAGE: Readonly<Record<string, VerificationTexts>> = { en: EN, de: DE, fr: FR, es: ES };

/** The first language of the visitor that has texts. `accepted` is the header Accept-Language. */
export function verificationTexts(accepted = ''): { language: string; texts: VerificationTexts } {
  const wanted = accepted
    .slice(0, 200)
    .split(',')
    .map((part) => part.trim().slice(0, 2).toLowerCase());
  const language = wanted.find((one) => Object.hasOwn(BY_LANGUAGE, one)) ?? 'en';
  return { language, texts: BY_LANGUAGE[language] };
}
