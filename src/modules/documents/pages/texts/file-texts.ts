import { inLanguage } from '../../model/core/in-language.js';

/** The texts about the files of a document that consists of several, in one language. */
export interface FileTexts {
  files: string;
  /** Where a file stands among all. */
  place: (position: number, of: number) => string;
  pages: (count: number) => string;
  page: (name: string, number: number, of: number) => string;
  notShown: string;
  all: string;
  /** Of signed files, whose seals cover each of them. */
  allHint: string;
  /** On the page of a party that has signed: instead of the texts for one file. `names`: of the files. */
  signed: string;
  executed: (names: string) => string;
  mail: { attached: string; link: string; button: string; keep: string };
}

const EN: FileTexts = {
  files: 'Files',
  place: (position, of) => `File ${position} of ${of}`,
  pages: (count) => (count === 1 ? '1 page' : `${count} pages`),
  page: (name, number, of) => `${name}: page ${number} of ${of}. The view “Text” has its text.`,
  notShown: 'The pages of this file cannot be shown now. Download it to read it.',
  all: 'Download all as one PDF',
  allHint: 'To keep what proves the signatures, download each file: the PDF of all files is for reading and printing.',
  signed: 'You have signed. You will receive the signed files by mail once all other parties have signed.',
  executed: (names) => `All parties have signed. These signed files are yours to keep: ${names}.`,
  mail: {
    attached: 'The signed files and the certificate of the signatures are attached.',
    link: 'The signed files and the certificate:',
    button: 'Open the signed files',
    keep: 'Keep the files. Each contains its signatures and a seal that shows whether it was changed; the certificate names them all.',
  },
};

const DE: FileTexts = {
  files: 'Dateien',
  place: (position, of) => `Datei ${position} von ${of}`,
  pages: (count) => (count === 1 ? '1 Seite' : `${count} Seiten`),
  page: (name, number, of) => `${name}: Seite ${number} von ${of}. Die Ansicht „Text“ enthält ihren Text.`,
  notShown: 'Die Seiten dieser Datei lassen sich gerade nicht anzeigen. Laden Sie sie herunter, um sie zu lesen.',
  all: 'Alle als ein PDF herunterladen',
  allHint: 'Laden Sie als Nachweis jede Datei einzeln herunter: Das PDF aller Dateien ist zum Lesen und Drucken da.',
  signed: 'Sie haben unterschrieben. Sobald alle anderen unterschrieben haben, erhalten Sie die unterschriebenen Dateien per Mail.',
  executed: (names) => `Alle haben unterschrieben. Diese unterschriebenen Dateien gehören Ihnen: ${names}.`,
  mail: {
    attached: 'Die unterschriebenen Dateien und der Nachweis der Unterschriften sind angehängt.',
    link: 'Die unterschriebenen Dateien und der Nachweis:',
    button: 'Unterschriebene Dateien öffnen',
    keep: 'Bewahren Sie die Dateien auf. Jede enthält Unterschriften und ein Siegel, das Änderungen zeigt; der Nachweis nennt alle.',
  },
};

const FR: FileTexts = {
  files: 'Fichiers',
  place: (position, of) => `Fichier ${position} sur ${of}`,
  pages: (count) => (count === 1 ? '1 page' : `${count} pages`),
  page: (name, number, of) => `${name} : page ${number} sur ${of}. La vue « Texte » contient son texte.`,
  notShown: 'Les pages de ce fichier ne peuvent pas être affichées pour le moment. Téléchargez-le pour le lire.',
  all: 'Tout télécharger en un seul PDF',
  allHint: 'Pour conserver la preuve des signatures, téléchargez chaque fichier : le PDF unique sert à lire et à imprimer.',
  signed: 'Vous avez signé. Vous recevrez les fichiers signés par courriel dès que toutes les autres parties auront signé.',
  executed: (names) => `Toutes les parties ont signé. Ces fichiers signés sont à vous : ${names}.`,
  mail: {
    attached: 'Les fichiers signés et le certificat des signatures sont joints.',
    link: 'Les fichiers signés et le certificat :',
    button: 'Ouvrir les fichiers signés',
    keep: 'Conservez les fichiers. Chacun contient ses signatures et un sceau qui montre les modifications ; le certificat les nomme tous.',
  },
};

const ES: FileTexts = {
  files: 'Archivos',
  place: (position, of) => `Archivo ${position} de ${of}`,
  pages: (count) => (count === 1 ? '1 página' : `${count} páginas`),
  page: (name, number, of) => `${name}: página ${number} de ${of}. La vista «Texto» contiene su texto.`,
  notShown: 'Las páginas de este archivo no se pueden mostrar ahora. Descárguelo para leerlo.',
  all: 'Descargar todo en un solo PDF',
  allHint: 'Para conservar la prueba de las firmas, descargue cada archivo: el PDF único sirve para leer e imprimir.',
  signed: 'Ha firmado. Recibirá los archivos firmados por correo cuando hayan firmado todas las demás partes.',
  executed: (names) => `Todas las partes han firmado. Estos archivos firmados son suyos: ${names}.`,
  mail: {
    attached: 'Se adjuntan los archivos firmados y el certificado de firmas.',
    link: 'Los archivos firmados y el certificado:',
    button: 'Abrir los archivos firmados',
    keep: 'Conserve los archivos. Cada uno contiene sus firmas y un sello que muestra los cambios; el certificado los nombra todos.',
  },
};

export const fileTextsIn = inLanguage<FileTexts>({ en: EN, de: DE, fr: FR, es: ES });
