import { Resolver } from 'node:dns/promises';
import { ForbiddenTarget, literalOf, type TargetRules } from './target-rules.js';

/** Resolves a name to its addresses. */
export type Resolve = (name: string) => Promise<string[]>;

const KEPT_MS = 5_000;
const KEPT_NAMES = 10_000;

/**
 * Queries the name servers directly: the system's resolver blocks one of four threads per name, so that four names with silent
 * servers would block all other deliveries. /etc/hosts is not read.
 */
function nameServers(): Resolve {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  return async (name) => {
    // RFC 6761: resolved without a query
    if (name === 'localhost' || name.endsWith('.localhost')) return ['127.0.0.1', '::1'];
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = [four, six].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length === 0)
      throw new Error(
        `${name} has no address (${((four as PromiseRejectedResult).reason as NodeJS.ErrnoException | undefined)?.code ?? 'empty answer'})`,
      );
    return addresses;
  };
}

/** Resolves targets and checks every address; a single forbidden address makes the whole name forbidden. */
export class TargetNames {
  private readonly known = new Map<string, { addresses: Promise<string[]>; until: number }>();

  constructor(
    private readonly rules: TargetRules,
    private readonly resolve: Resolve = nameServers(),
  ) {}

  /** The checked addresses of a host, to which connections must be made. */
  async addressesOf(hostname: string): Promise<string[]> {
    const literal = literalOf(hostname);
    const addresses = literal ? [literal] : await this.lookUp(hostname.replace(/\.$/, ''));
    for (const address of addresses) this.rules.checkAddress(address);
    if (addresses.length === 0) throw new ForbiddenTarget(`${hostname} has no address`);
    return addresses;
  }

  private lookUp(name: string): Promise<string[]> {
    const now = Date.now();
    const kept = this.known.get(name);
    if (kept && kept.until > now) return kept.addresses;
    if (this.known.size >= KEPT_NAMES) this.known.clear();
    const addresses = this.resolve(name);
    this.known.set(name, { addresses, until: now + KEPT_MS });
    addresses.catch(() => this.known.delete(name));
    return addresses;
  }
}
