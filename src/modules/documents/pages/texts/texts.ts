import { DE } from './de.js';
import { EN, type Texts } from './en.js';
import { ES } from './es.js';
import { FR } from './fr.js';

const BY_LANGUAGE: Readonly<Record<string, Texts>> = { en: EN, de: DE, fr: FR, es: ES };

/** The language of pages and mails about documents in a language (BCP 47): its own if there are texts in it, or else English. */
export function pageLanguage(language: string): string {
  const base = language.split('-')[0];
  return base in BY_LANGUAGE ? language : 'en';
}

/** The texts of pages and mails about documents in a language. */
export function textsIn(language: string): Texts {
  return BY_LANGUAGE[language.split('-')[0]] ?? EN;
}
