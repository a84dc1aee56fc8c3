/** The texts about what changed since a document was last submitted, in one language. */
export interface ChangeTexts {
  sinceSubmission: string;
  sinceReplaced: string;
  none: string;
  title: string;
  file: string;
  otherFile: string;
  empty: string;
  field: string;
  before: string;
  after: string;
  more: (count: number) => string;
  rows: (count: number) => string;
}

const EN: ChangeTexts = {
  sinceSubmission: 'Changed since the last submission',
  sinceReplaced: 'Changed since the document that this one replaces',
  none: 'Nothing has changed.',
  title: 'Title',
  file: 'File',
  otherFile: 'another file',
  empty: 'empty',
  field: 'Field',
  before: 'Before',
  after: 'Now',
  more: (count) => `${count} more changes are on the page.`,
  rows: (count) => `${count} ${count === 1 ? 'row' : 'rows'}`,
};

const DE: ChangeTexts = {
  sinceSubmission: 'Geändert seit der letzten Einreichung',
  sinceReplaced: 'Geändert gegenüber dem Dokument, das dieses ersetzt',
  none: 'Es hat sich nichts geändert.',
  title: 'Titel',
  file: 'Datei',
  otherFile: 'andere Datei',
  empty: 'leer',
  field: 'Feld',
  before: 'Vorher',
  after: 'Jetzt',
  more: (count) => `${count} weitere Änderungen stehen auf der Seite.`,
  rows: (count) => `${count} ${count === 1 ? 'Zeile' : 'Zeilen'}`,
};

const FR: ChangeTexts = {
  sinceSubmission: 'Modifié depuis la dernière soumission',
  sinceReplaced: 'Modifié par rapport au document que celui-ci remplace',
  none: 'Rien n’a changé.',
  title: 'Titre',
  file: 'Fichier',
  otherFile: 'autre fichier',
  empty: 'vide',
  field: 'Champ',
  before: 'Avant',
  after: 'Maintenant',
  more: (count) => `${count} autres modifications figurent sur la page.`,
  rows: (count) => `${count} ${count === 1 ? 'ligne' : 'lignes'}`,
};

const ES: ChangeTexts = {
  sinceSubmission: 'Cambiado desde el último envío',
  sinceReplaced: 'Cambiado respecto al documento al que sustituye',
  none: 'Nada ha cambiado.',
  title: 'Título',
  file: 'Archivo',
  otherFile: 'otro archivo',
  empty: 'vacío',
  field: 'Campo',
  before: 'Antes',
  after: 'Ahora',
  more: (count) => `Hay ${count} cambios más en la página.`,
  rows: (count) => `${count} ${count === 1 ? 'fila' : 'filas'}`,
};

export const CHANGE_TEXTS = { EN, DE, FR, ES } as const;
