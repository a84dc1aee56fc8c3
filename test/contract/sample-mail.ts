import type { Mail } from '../../src/kit/index.js';

/** A mail of the suite with awkward data, by the function that writes it. */
export interface SampleMail {
  /** The function, and which of its mails it is. */
  name: string;
  language: string;
  mail: Mail;
}

export const BASE = 'https://suite.example.com';
export const TOKEN = 'k7Qw2bXyE0sVnR4tLm9ZpA1cUdF6hJgI3oKeWxYzB5v';
export const NOW = new Date('2026-11-28T09:30:00Z');
/** By language: long words, a language from right to left, markup, and an unbroken name. */
export const TITLES: Readonly<Record<string, string>> = {
  en: 'Master services agreement, شركة النور',
  de: 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsvereinbarung mit Datenschutzgrundverordnungsanlage',
  fr: 'Contrat de prestation de services <b>n° 12</b>',
  es: 'Contrato_de_prestacion_de_servicios_version_definitiva_2_firmado.pdf',
};
export const ORGANIZATIONS: Readonly<Record<string, string>> = {
  en: 'Acme & Sons Ltd.',
  de: 'Donaudampfschifffahrtsgesellschaft mbH',
  fr: 'Boulangerie L’Épi d’Or',
  es: 'شركة النور للتجارة',
};

/** The name of the organization of a sample. */
export const organizationOf = ({ language }: SampleMail): string => ORGANIZATIONS[language];

export function samples(mails: readonly (readonly [name: string, mail: Mail])[], language = 'en'): SampleMail[] {
  return mails.map(([name, mail]) => ({ name, language, mail }));
}
