import { inLanguage } from '../../model/core/in-language.js';

/** The texts of pages of links that no longer work, beside the reason, in one language. */
export interface EndingTexts {
  when: string;
  by: string;
  contact: string;
  verify: string;
}

const EN: EndingTexts = {
  when: 'When',
  by: 'By',
  contact: 'Questions to',
  verify: 'If you have a file of this document, you can check whether it is genuine and who has signed it.',
};

const DE: EndingTexts = {
  when: 'Wann',
  by: 'Durch',
  contact: 'Fragen an',
  verify: 'Wenn Sie eine Datei dieses Dokuments haben, können Sie prüfen, ob sie echt ist und wer sie unterschrieben hat.',
};

const FR: EndingTexts = {
  when: 'Quand',
  by: 'Par',
  contact: 'Questions à',
  verify: 'Si vous avez un fichier de ce document, vous pouvez vérifier s’il est authentique et qui l’a signé.',
};

const ES: EndingTexts = {
  when: 'Cuándo',
  by: 'Por',
  contact: 'Preguntas a',
  verify: 'Si tiene un archivo de este documento, puede comprobar si es auténtico y quién lo ha firmado.',
};

export const endingTextsIn = inLanguage<EndingTexts>({ en: EN, de: DE, fr: FR, es: ES });
