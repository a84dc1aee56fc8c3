import { inLanguage } from '../../model/core/in-language.js';
import type { Face } from '../../model/records/signature-party.entity.js';

/** The texts about adopting a signature or initials, in one language. */
export interface AdoptTexts {
  initials: string;
  /** The ways to adopt initials, besides drawing and uploading. */
  initialsTyped: string;
  initialsText: string;
  uploaded: string;
  picture: string;
  pictureHint: string;
  /** Of the choice of a face, and the faces. */
  face: string;
  faces: Record<Face | 'plain', string>;
  /** What a preview shows while nothing is typed. */
  sample: string;
  problems: { initialsMissing: string; pictureMissing: string; picture: string };
}

const EN: AdoptTexts = {
  initials: 'Your initials',
  initialsTyped: 'Type my initials',
  initialsText: 'Your initials, as they are printed',
  uploaded: 'Upload a picture',
  picture: 'Picture of what you wrote on paper',
  pictureHint: 'A PNG or JPEG file, such as a photo of your signature on white paper.',
  face: 'Typeface',
  faces: { plain: 'As in the text', pen: 'Handwriting', script: 'Calligraphy' },
  sample: 'Your name',
  problems: {
    initialsMissing: 'Type your initials.',
    pictureMissing: 'Choose a picture, or type your name instead.',
    picture: 'The picture cannot be used. Choose a PNG or JPEG file that shows your signature on a light ground.',
  },
};

const DE: AdoptTexts = {
  initials: 'Ihre Initialen',
  initialsTyped: 'Meine Initialen tippen',
  initialsText: 'Ihre Initialen, wie sie gedruckt werden',
  uploaded: 'Ein Bild hochladen',
  picture: 'Bild dessen, was Sie auf Papier geschrieben haben',
  pictureHint: 'Eine PNG- oder JPEG-Datei, zum Beispiel ein Foto Ihrer Unterschrift auf weißem Papier.',
  face: 'Schrift',
  faces: { plain: 'Wie im Text', pen: 'Handschrift', script: 'Schönschrift' },
  sample: 'Ihr Name',
  problems: {
    initialsMissing: 'Tippen Sie Ihre Initialen.',
    pictureMissing: 'Wählen Sie ein Bild oder tippen Sie Ihren Namen.',
    picture: 'Das Bild kann nicht verwendet werden. Wählen Sie eine PNG- oder JPEG-Datei mit Ihrer Unterschrift auf hellem Grund.',
  },
};

const FR: AdoptTexts = {
  initials: 'Vos initiales',
  initialsTyped: 'Saisir mes initiales',
  initialsText: 'Vos initiales, telles qu’elles seront imprimées',
  uploaded: 'Téléverser une image',
  picture: 'Image de ce que vous avez écrit sur papier',
  pictureHint: 'Un fichier PNG ou JPEG, par exemple une photo de votre signature sur papier blanc.',
  face: 'Police',
  faces: { plain: 'Comme le texte', pen: 'Écriture manuscrite', script: 'Calligraphie' },
  sample: 'Votre nom',
  problems: {
    initialsMissing: 'Saisissez vos initiales.',
    pictureMissing: 'Choisissez une image ou saisissez votre nom.',
    picture: 'L’image ne peut pas être utilisée. Choisissez un fichier PNG ou JPEG qui montre votre signature sur un fond clair.',
  },
};

const ES: AdoptTexts = {
  initials: 'Sus iniciales',
  initialsTyped: 'Escribir mis iniciales',
  initialsText: 'Sus iniciales, tal como se imprimen',
  uploaded: 'Subir una imagen',
  picture: 'Imagen de lo que ha escrito en papel',
  pictureHint: 'Un archivo PNG o JPEG, por ejemplo una foto de su firma sobre papel blanco.',
  face: 'Letra',
  faces: { plain: 'Como el texto', pen: 'Manuscrita', script: 'Caligrafía' },
  sample: 'Su nombre',
  problems: {
    initialsMissing: 'Escriba sus iniciales.',
    pictureMissing: 'Elija una imagen o escriba su nombre.',
    picture: 'La imagen no se puede usar. Elija un archivo PNG o JPEG que muestre su firma sobre un fondo claro.',
  },
};

export const adoptTextsIn = inLanguage<AdoptTexts>({ en: EN, de: DE, fr: FR, es: ES });
