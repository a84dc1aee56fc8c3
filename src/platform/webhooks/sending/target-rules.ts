import ipaddr from 'ipaddr.js';

/** What a target may be beside a public https address. */
export interface TargetPolicy {
  /** Plain http is for development and tests. */
  allowHttp: boolean;
  /** 127.0.0.0/8 and ::1; for development. */
  allowLoopback: boolean;
  /** Private addresses that the operator named, as addresses or CIDRs. */
  allowedRanges: readonly string[];
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** A target that must not be called; the message is for the person who creates the endpoint. */
export class ForbiddenTarget extends Error {
  override readonly name = 'ForbiddenTarget';
}

/** Decides where webhooks may be sent: an endpoint must not give access to what only this server can reach. */
export class TargetRules {
  private readonly allowed: [Address, number][];

  constructor(private readonly policy: TargetPolicy) {
    this.allowed = policy.allowedRanges.map((range) =>
      range.includes('/') ? ipaddr.parseCIDR(range) : [ipaddr.parse(range), range.includes(':') ? 128 : 32],
    );
  }

  /** Throws unless the address is well-formed and, where its host is an IP address, one that may be called. */
  checkUrl(text: string): URL {
    if (!URL.canParse(text)) throw new ForbiddenTarget('url must be an absolute address, such as https://example.com/hooks');
    const url = new URL(text);
    if (url.protocol !== 'https:' && !(this.policy.allowHttp && url.protocol === 'http:')) {
      throw new ForbiddenTarget(`url must begin with https://${this.policy.allowHttp ? ' or http://' : ''}`);
    }
    if (url.username || url.password) throw new ForbiddenTarget('url must hold no user name or password');
    const literal = literalOf(url.hostname);
    if (literal) this.checkAddress(literal);
    return url;
  }

  checkAddress(text: string): void {
    if (!ipaddr.isValid(text)) throw new ForbiddenTarget(`${text} is not an IP address`);
    // the mapped form ::ffff:10.0.0.1 is treated as the IPv4 address
    const address = ipaddr.process(text);
    if (this.allowed.some(([network, bits]) => network.kind() === address.kind() && address.match(network as never, bits))) return;
    const range: string = address.range();
    if (range === 'unicast' && !isHidden(address)) return;
    if (range === 'loopback' && this.policy.allowLoopback) return;
    throw new ForbiddenTarget(`${text} is not a public address (${range})`);
  }
}

/** The IP address a host name is, or undefined for a name. The URL parser has put every IPv4 spelling into four decimals. */
export function literalOf(hostname: string): string | undefined {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return ipaddr.isValid(bare) ? bare : undefined;
}

/** What the library counts as public but leads, or may lead, to something inside: a cloud's own service, all IPv6 but 2000::/3. */
function isHidden(address: Address): boolean {
  if (address.kind() === 'ipv4') return address.toString() === AZURE_HOST;
  return !address.match(GLOBAL_UNICAST as never, 3);
}

/** Each virtual machine's way to its host on Azure: metadata, DNS, agent. Other clouds have theirs in ranges that are not public. */
const AZURE_HOST = '168.63.129.16';
const GLOBAL_UNICAST = ipaddr.parse('2000::');
