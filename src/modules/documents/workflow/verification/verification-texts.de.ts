import type { VerificationTexts } from './verification-texts.js';

export const DE: VerificationTexts = {
  title: 'PDF prüfen',
  lead:
    'Sehen Sie, wer ein PDF unterschrieben oder versiegelt hat, ob es seither verändert wurde und ob es hier entstanden ist. ' +
    'Ihre Datei wird nicht gespeichert.',
  file: 'PDF-Datei',
  hint: 'Hierher ziehen oder auswählen, höchstens 12 MiB.',
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
    altered:
      'Diese Datei wurde verändert: Mindestens eine Unterschrift darin passt nicht mehr. Sie ist keine Datei, die hier entstanden ist.',
    unreadable: 'Diese Datei ist nicht lesbar: Sie ist beschädigt, verschlüsselt oder zu komplex. Sie ist nicht hier entstanden.',
    unknown: 'Diese Datei ist hier nicht bekannt. Entweder ist sie anderswo entstanden, oder sie wurde seither verändert.',
  },
  executed: 'Alle haben diese Datei unterschrieben.',
  unsigned: 'Das ist die Datei, die zur Unterschrift gesendet wurde. Sie hat keine Unterschriften.',
  facts: {
    organization: 'Gesendet von',
    number: 'Nummer',
    document: 'Dokument',
    file: 'Datei',
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
  unreadSignatures: 'Die Unterschriften und Siegel in der Datei konnten nicht gelesen werden; über sie ist nichts bekannt.',
  intact: 'gültig: Was davon erfasst ist, ist unverändert',
  broken: 'nicht gültig: Was davon erfasst ist, wurde verändert',
  unclear: 'mit einem Verfahren erstellt, das hier nicht geprüft werden kann',
  trust: 'Ob einem Zertifikat vertraut wird, zeigt Ihr PDF-Programm.',
  print:
    'Ein Ausdruck, ein Scan oder eine Kopie, die ein anderes Programm gespeichert hat, ist eine andere Datei, auch wenn sie gleich ' +
    'aussieht. Prüfen lässt sich nur die Datei selbst: Bitten Sie jemanden darum, der sie hat.',
  elsewhere: 'Ihre Unterschriften sind anderswo entstanden. Unten sehen Sie, ob sie gültig sind.',
  ownSeal: 'Siegel dieses Servers',
  timeStamp: 'Zeitstempel',
  later: {
    none: 'erfasst die ganze Datei',
    proofs: 'erfasst die ganze Datei; danach hat dieser Server nur Nachweise der Gültigkeit hinzugefügt',
    other: 'danach wurde der Datei etwas hinzugefügt',
  },
  details: 'Zertifikat und Zeitstempel',
  certificate: {
    subject: 'Ausgestellt für',
    issuer: 'Ausgestellt von',
    validity: 'Gültig',
    none: 'Die Datei enthält das Zertifikat nicht.',
  },
  stamp: {
    label: 'Zeitstempel',
    none: 'keiner: die Zeit ist die Angabe des Unterzeichners',
    intact: 'gültig',
    broken: 'nicht gültig: gehört nicht zu dieser Unterschrift',
    unclear: 'kann hier nicht geprüft werden',
  },
  chain: {
    title: 'Kette der Belege',
    lead:
      'Jeder Hash erfasst die Angaben zu einer Unterschrift und den Hash davor. ' +
      'Das Zertifikat in der unterschriebenen Datei zeigt dieselben Hashes.',
    file: 'Die Datei zur Unterschrift',
    sha256: 'Hash',
    previous: 'Hash davor',
    intact: 'stimmt mit den gespeicherten Angaben überein',
    broken: 'stimmt nicht mit den gespeicherten Angaben überein',
    erased: 'kann nicht neu berechnet werden: Die Angaben wurden gelöscht',
  },
};
