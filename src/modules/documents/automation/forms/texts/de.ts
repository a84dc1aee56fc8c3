import type { FormTexts } from './en.js';

export const DE: FormTexts = {
  rejectedTitle: (title) => `Noch nicht gesendet: ${title}`,
  sentTitle: (title) => `Gesendet: ${title}`,
  notSent: 'Es wurde noch nicht gesendet',
  thanks: 'Vielen Dank. Ihre Angaben sind eingegangen.',
  tooMany: (minutes) =>
    `Aus Ihrem Netz kamen zu viele Einsendungen. Ihre Angaben sind noch hier: Bitte senden Sie sie in ${minutes} Minuten noch einmal.`,
  send: 'Senden',
  optional: 'optional',
  choose: 'Bitte wählen',
  row: (label, row) => `${label}, Zeile ${row}`,
  addRow: (label) => `Zeile hinzufügen: ${label}`,
  removeRow: (row) => `Zeile ${row} entfernen`,
  rowRemoved: (row) => `Zeile ${row} wurde entfernt.`,
  mostRows: (most) => `Es sind höchstens ${most} Zeilen möglich.`,
  hints: {
    money: (currency, example) => `In ${currency}, zum Beispiel ${example}`,
    phone: 'Mit Ländervorwahl, zum Beispiel +49 30 901820',
    time: (zone) => `In der Zeitzone ${zone}`,
  },
  problems: {
    required: (label) => `${label}: bitte ausfüllen.`,
    tick: (label) => `Bitte ankreuzen: ${label}`,
    money: (label, example) => `${label}: bitte einen Betrag wie ${example} eingeben.`,
    negative: (label) => `${label}: der Betrag darf nicht negativ sein.`,
    integer: (label, example) => `${label}: bitte eine ganze Zahl wie ${example} eingeben.`,
    number: (label, example) => `${label}: bitte eine Zahl wie ${example} eingeben.`,
    digits: (label) => `${label}: die Zahl hat mehr Stellen, als genau gespeichert werden können.`,
    email: (label) => `${label}: bitte eine gültige E-Mail-Adresse eingeben.`,
    date: (label, example) => `${label}: bitte einen Tag wie ${example} eingeben.`,
    time: (label) => `${label}: bitte einen Tag mit Uhrzeit eingeben.`,
    uri: (label) => `${label}: bitte eine Adresse eingeben, die mit https:// beginnt.`,
    phone: (label) => `${label}: bitte eine Telefonnummer mit Ländervorwahl eingeben, wie +49 30 901820.`,
    party: (label) => `${label}: bitte den Namen einer Person oder Firma eingeben, eine Zeile mit höchstens 255 Zeichen.`,
    user: (label) => `${label}: bitte die E-Mail-Adresse eines Mitglieds eingeben.`,
    currency: (label) => `${label}: bitte ein Währungskürzel wie EUR eingeben.`,
    format: (label) => `${label}: die Eingabe hat nicht die verlangte Form.`,
    oneOf: (label, values) => `${label}: möglich sind ${values}.`,
    shortest: (label, limit) => `${label}: mindestens ${limit} Zeichen.`,
    longest: (label, limit) => `${label}: höchstens ${limit} Zeichen.`,
    least: (label, limit) => `${label}: mindestens ${limit}.`,
    most: (label, limit) => `${label}: höchstens ${limit}.`,
    above: (label, limit) => `${label}: mehr als ${limit}.`,
    below: (label, limit) => `${label}: weniger als ${limit}.`,
    multiple: (label, of) => `${label}: bitte ein Vielfaches von ${of} eingeben.`,
    fewestRows: (label, limit) => `${label}: mindestens ${limit} Zeilen.`,
    mostRows: (label, limit) => `${label}: höchstens ${limit} Zeilen.`,
    invalid: (label) => `${label}: die Eingabe ist nicht gültig.`,
  },
  upload: {
    label: 'Ausgefülltes PDF',
    hint:
      'Die Werte der Datei werden in die Felder unten übernommen und ersetzen, was dort steht. ' +
      'Gesendet wird noch nichts. Höchstens 10 MiB.',
    button: 'Aus der Datei ausfüllen',
    notRead: (name) =>
      `Ausgefülltes PDF: ${name} wurde nicht gelesen. Wählen Sie die Datei noch einmal und drücken Sie „Aus der Datei ausfüllen“, ` +
      'oder senden Sie ohne sie.',
    tooLarge: 'Ausgefülltes PDF: Die Datei ist größer als 10 MiB.',
    none: 'Ausgefülltes PDF: Wählen Sie zuerst eine Datei.',
    noPdf: 'Ausgefülltes PDF: Die Datei ist kein PDF.',
    noText:
      'Ausgefülltes PDF: Wo die Werte stehen sollten, hat die Datei keinen Text; eine gescannte Seite kann nicht gelesen werden. ' +
      'Bitte füllen Sie die Felder unten aus.',
    unreadable: () => 'Ausgefülltes PDF: Die Datei kann nicht gelesen werden.',
    unable: 'Ausgefülltes PDF: Dieses Formular kann im Moment keine Dateien lesen. Bitte füllen Sie die Felder unten aus.',
    busy:
      'Ausgefülltes PDF: Es werden gerade zu viele Dateien gelesen, oder diese braucht zu lange. ' +
      'Bitte versuchen Sie es gleich noch einmal, oder füllen Sie die Felder aus.',
    field: (label) => `${label}: Der Wert konnte nicht aus der Datei gelesen werden.`,
    rows: (label, rows, most) => `${label}: Die Datei hat ${rows} Zeilen, dieses Formular nimmt ${most}. Die übrigen wurden weggelassen.`,
    filledNone: 'Aus der Datei wurde kein Feld ausgefüllt. Bitte füllen Sie die Felder aus und senden Sie dann.',
    filled: (count) =>
      `${count === 1 ? '1 Feld wurde' : `${count} Felder wurden`} aus der Datei ausgefüllt. Bitte prüfen Sie alles und senden Sie dann.`,
  },
};
