/** The texts in a language (BCP 47), or else in English. */
export function inLanguage<T>(texts: Readonly<Record<'en' | 'de' | 'fr' | 'es', T>>): (language: string) => T {
  const all: Readonly<Record<string, T>> = texts;
  return (language) => all[language.split('-')[0]] ?? texts.en;
}
