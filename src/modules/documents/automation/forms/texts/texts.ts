import { DE } from './de.js';
import { EN, type FormTexts } from './en.js';
import { ES } from './es.js';
import { FR } from './fr.js';

export type { FormTexts };

const BY_LANGUAGE: Readonly<Record<string, FormTexts>> = { en: EN, de: DE, fr: FR, es: ES };

/** The texts of forms in a language (BCP 47), or in English. */
export function formTexts(language: string): FormTexts {
  return BY_LANGUAGE[language.split('-')[0]] ?? EN;
}
