import type { VerificationTexts } from './verification-texts.js';
import { DE } from './verification-texts.de.js';
import { EN } from './verification-texts.en.js';
import { ES } from './verification-texts.es.js';
import { FR } from './verification-texts.fr.js';

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
