import { createParamDecorator, type ExecutionContext } from '@nestjs/common';

interface Range {
  type: string;
  quality: number;
}

/**
 * Picks one of the offered media types by the Accept header (RFC 9110): the highest quality wins, then the most specific
 * range, then the range listed first. Without a header, or without a match, the first type offered is used instead of a 406.
 */
export function preferredType(accept: string | undefined, offered: readonly string[]): string {
  const ranges = (accept ?? '*/*').split(',').map(readRange);
  let best = { type: offered[0], quality: 0, specificity: 0, position: Infinity };
  for (const type of offered) {
    const [{ range, specificity, position }] = ranges
      .map((candidate, index) => ({ range: candidate, specificity: specificityOf(candidate.type, type), position: index }))
      .sort((a, b) => b.specificity - a.specificity || a.position - b.position);
    if (specificity === 0 || range.quality === 0) continue;
    const order = range.quality - best.quality || specificity - best.specificity || best.position - position;
    if (order > 0) best = { type, quality: range.quality, specificity, position };
  }
  return best.type;
}

function readRange(text: string): Range {
  const [type, ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  return { type, quality: quality === undefined ? 1 : Math.min(Math.max(Number(quality) || 0, 0), 1) };
}

/** Returns 0 if the range does not match the type; a higher number means a more specific match. */
function specificityOf(range: string, type: string): number {
  if (range === type) return 3;
  if (range === `${type.split('/')[0]}/*`) return 2;
  return range === '*/*' ? 1 : 0;
}

const acceptedType = createParamDecorator((offered: readonly string[], context: ExecutionContext) => {
  const http = context.switchToHttp();
  // without Vary, a shared cache could serve one media type to a caller that asked for the other
  http.getResponse<{ header(name: string, value: string): void }>().header('Vary', 'Accept');
  return preferredType(http.getRequest<{ headers: { accept?: string } }>().headers.accept, offered);
});

/** Injects the offered media type that the caller prefers: `data(@Accepted(['application/json', 'text/csv']) type: string)`. */
export function Accepted(offered: readonly [string, ...string[]]): ParameterDecorator {
  return acceptedType(offered);
}
