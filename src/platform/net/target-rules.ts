import ipaddr from 'ipaddr.js';

/** Targets that are allowed in addition to public https URLs. */
export interface TargetPolicy {
  /** Plain http is for development and tests. */
  allowHttp: boolean;
  /** 127.0.0.0/8 and ::1; for development. */
  allowLoopback: boolean;
  /** Private addresses that the operator allows, as addresses or CIDRs. */
  allowedRanges: readonly string[];
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The target is not allowed; the message is for the person who creates the endpoint. */
export class ForbiddenTarget extends Error {
  override readonly name = 'ForbiddenTarget';
}

/** Decides where webhooks may be sent: an endpoint must not give access to hosts that only this server can reach (SSRF). */
export class TargetRules {
  private readonly allowed: [Address, number][];

  constructor(private readonly policy: TargetPolicy) {
    this.allowed = policy.allowedRanges.map((range) =>
      range.includes('/') ? ipaddr.parseCIDR(range) : [ipaddr.parse(range), range.includes(':') ? 128 : 32],
    );
  }

  /** Throws if the URL is malformed or its host is an IP address that is not allowed. */
  checkUrl(text: string): URL {
    if (!URL.canParse(text)) throw new ForbiddenTarget('url must be an absolute URL, such as https://example.com/hooks');
    const url = new URL(text);
    if (url.protocol !== 'https:' && !(this.policy.allowHttp && url.protocol === 'http:')) {
      throw new ForbiddenTarget(`url must begin with https://${this.policy.allowHttp ? ' or http://' : ''}`);
    }
    if (url.username || url.password) throw new ForbiddenTarget('url must not contain a user name or password');
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

/** The IP address in the URL's host, or undefined for a name. The URL parser has converted every form of IPv4 to four decimals. */
export function literalOf(hostname: string): string | undefined {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return ipaddr.isValid(bare) ? bare : undefined;
}

/** Addresses that the library counts as public but may be internal: a cloud's own service, all IPv6 except 2000::/3. */
function isHidden(address: Address): boolean {
  if (address.kind() === 'ipv4') return address.toString() === AZURE_HOST;
  return !address.match(GLOBAL_UNICAST as never, 3);
}

/** The host of a virtual machine on Azure: metadata, DNS, agent. Other clouds use ranges that are not public. */
const AZURE_HOST = '168.63.129.16';
const GLOBAL_UNICAST = ipaddr.parse('2000::');
