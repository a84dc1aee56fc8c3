import type { Client } from '../../harness/client.js';
import type { Location, ModuleContext } from './module-context.js';
import { collected, firstDifference } from './module-errors.js';
import { noteAnswer } from './module-reached.js';
import type { OwnValues } from './module-variants.js';

/** A GET with the arguments of a valid call, or of one with an optional parameter. */
export interface Read {
  /** The operation, and the parameter. */
  what: string;
  operation: string;
  path: string;
  /** Who reads, for the faults. */
  who: string;
  client: Client;
  /** The same read with one optional parameter each. */
  variants(own: OwnValues): { what: string; path: string }[];
  /** Where the rows are that it must not see. */
  hidden: readonly Location[];
  /** What else than 200 it may be answered: the caller may have nothing to read there, or may not send this. */
  mayAnswer?: 'not found' | 'an error';
}

/** Headers of the request, the connection and the size of the body. */
const OF_REQUEST = /^(date|request-id|ratelimit.*|content-length|connection|keep-alive|set-cookie|vary|content-encoding)$/;

const AT_ONCE = 4;

/** What reads answer. A read that leaks as it is leaks with each parameter as well. */
export class Answers {
  private readonly told = new Set<string>();
  private readonly failed = new Set<Read>();

  constructor(
    private readonly world: ModuleContext,
    private readonly faults: string[],
  ) {}

  async to(reads: readonly Read[]): Promise<Map<Read, string>> {
    const answers = new Map<Read, string>();
    const valid = reads.filter((read) => !this.failed.has(read));
    for (let at = 0; at < valid.length; at += AT_ONCE) {
      const batch = valid.slice(at, at + AT_ONCE);
      const answer = (read: Read) => collected(this.faults, async () => void answers.set(read, await answerTo(read, this.world)));
      await Promise.all(batch.map(answer));
      for (const read of batch) if (!answers.has(read)) this.failed.add(read);
    }
    return answers;
  }

  compare(before: ReadonlyMap<Read, string>, after: ReadonlyMap<Read, string>, place: string): void {
    for (const [read, answer] of before) {
      const difference = firstDifference(answer, after.get(read) ?? answer);
      const { what, operation, who } = read;
      if (!difference || (what !== operation && this.told.has(`${operation} ${who}`))) continue;
      if (what === operation) this.told.add(`${operation} ${who}`);
      this.faults.push(`${what} shows ${who} something of ${place}: ${difference.join(' became ')}`);
    }
  }
}

/** The answer without what differs between equal calls. */
async function answerTo({ client, what, operation, path, who, mayAnswer }: Read, world: ModuleContext): Promise<string> {
  const response = await client.get(path);
  const { status, text, headers, body } = response;
  const route = world.routeOf(operation);
  if (route) noteAnswer(route, { path, body: undefined }, response);
  if (status >= 500) throw new Error(`${what} failed for ${who}: ${status} ${text}`);
  if ((status === 404 && mayAnswer) || (status >= 400 && mayAnswer === 'an error'))
    return `${status} ${(body as { error?: { code?: string } } | undefined)?.error?.code}`;
  if (status !== 200)
    throw new Error(`describeModule needs samples.${operation} for a valid call of it by ${who}, who gets: ${status} ${text}`);
  const own = Object.entries(headers as Record<string, string>).filter(([name]) => !OF_REQUEST.test(name));
  return `${world.settled(operation, text)} ${JSON.stringify(Object.fromEntries(own))}`;
}
