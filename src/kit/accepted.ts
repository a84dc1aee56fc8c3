import { createParamDecorator, type ExecutionContext } from '@nestjs/common';

interface Range {
  type: string;
  quality: number;
}

/**
 * What an Accept header (RFC 9110) prefers of the media types offered: the highest quality, then the more exact wish, then
 * the one named first. The first offered when the header is absent or names none of them: better that than a refusal.
 */
export function preferredType(accept: string | undefined, offered: readonly string[]): string {
  const ranges = (accept ?? '*/*').split(',').map(readRange);
  let best = { type: offered[0], quality: 0, exactness: 0, place: Infinity };
  for (const type of offered) {
    const [{ range, exactness, place }] = ranges
      .map((candidate, index) => ({ range: candidate, exactness: exactnessOf(candidate.type, type), place: index }))
      .sort((a, b) => b.exactness - a.exactness || a.place - b.place);
    if (exactness === 0 || range.quality === 0) continue;
    const order = range.quality - best.quality || exactness - best.exactness || best.place - place;
    if (order > 0) best = { type, quality: range.quality, exactness, place };
  }
  return best.type;
}

function readRange(text: string): Range {
  const [type, ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return { type, quality: quality === undefined ? 1 : Math.min(Math.max(Number(quality) || 0, 0), 1) };
}

/** 0: does not match; the more, the more exact. */
function exactnessOf(range: string, type: string): number {
  if (range === type) return 3;
  if (range === `${type.split('/')[0]}/*`) return 2;
  return range === '*/*' ? 1 : 0;
}

const acceptedType = createParamDecorator((offered: readonly string[], context: ExecutionContext) => {
  const http = context.switchToHttp();
  // or a cache would give one caller's form to another
  http.getResponse<{ header(name: string, value: string): void }>().header('Vary', 'Accept');
  return preferredType(http.getRequest<{ headers: { accept?: string } }>().headers.accept, offered);
});

/** The form of the answer that the caller prefers, of those offered: `data(@Accepted(['application/json', 'text/csv']) type: string)`. */
export function Accepted(offered: readonly [string, ...string[]]): ParameterDecorator {
  return acceptedType(offered);
}
