import { inLanguage } from '../../../model/core/in-language.js';
import { DE } from './de.js';
import { EN, type FormTexts } from './en.js';
import { ES } from './es.js';
import { FR } from './fr.js';

export type { FormTexts };

export const formTexts = inLanguage<FormTexts>({ en: EN, de: DE, fr: FR, es: ES });
