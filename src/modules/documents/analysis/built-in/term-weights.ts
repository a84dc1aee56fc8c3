const EMPTY = new Set(
  `a an and any are as at be been being but by can could did do does for from had has have he her here hereby herein hereof hereto
    hereunder his how if in into is it its may
might must no nor not of on only or other our out over own same shall she should so such than that the thereof their them then there
therein these they this those to under up upon us was we were what when where which
while who will with without would you your all each every either both more most some one two also between within after before during about
der die das den dem des ein eine einer eines einem einen und oder nicht mit ist sind war wird werden wurde kann können hat haben bei
zu zum zur von vom für auf aus an am im in als auch nach über durch gegen ohne um es sie er wir
ihr sich dass wenn so sowie nur noch diese dieser dieses diesem diesen soweit`.split(/\s+/),
);

/** The content words of a text, reduced to approximate stems so that "renews" and "renewal" count as one. */
export function termsOf(text: string): string[] {
  return (text.toLowerCase().match(/\p{L}{3,}/gu) ?? []).filter((word) => !EMPTY.has(word)).map(stem);
}

function stem(word: string): string {
  return word.length > 5
    ? word.replace(/(?:ations?|ments?|ings?|ables?|ally|edly|ers|ies|ed|es|ly|en|em|er|al|s)$/u, '')
    : word.replace(/s$/, '');
}

/** The weight of each term: high for terms that are frequent but not in every sentence. */
export function weightsOf(sentences: readonly (readonly string[])[]): Map<string, number> {
  const sentencesWith = new Map<string, number>();
  const times = new Map<string, number>();
  for (const terms of sentences) {
    for (const term of terms) times.set(term, (times.get(term) ?? 0) + 1);
    for (const term of new Set(terms)) sentencesWith.set(term, (sentencesWith.get(term) ?? 0) + 1);
  }
  const weights = new Map<string, number>();
  for (const [term, count] of times) weights.set(term, Math.log(1 + count) * Math.log(1 + sentences.length / sentencesWith.get(term)!));
  return weights;
}
