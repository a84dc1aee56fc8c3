// IP addresses: the client's behind proxies, the ranges of allowlists, and which addresses count as one caller.

import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type AddressMatcher = (address: string) => boolean;

interface Cidr {
  network: Address;
  bits: number;
  /** The canonical spelling, to be stored and shown. */
  text: string;
}

/** Its message is meant for the person who typed the range. */
export class InvalidCidr extends Error {
  override readonly name = 'InvalidCidr';
}

interface Parsed {
  address: Address;
  canonical: string;
  limitKey: string;
}

const MOST_REMEMBERED = 2_000;
const LONGEST_ADDRESS = 64;
/** What one customer of a provider is given at the least. */
const NETWORK_BITS = 64;
const remembered = new Map<string, Parsed>();

/** Remembers, as the library takes 15 microseconds for an IPv6 address and callers come back. */
function parsed(text: string): Parsed | undefined {
  const known = remembered.get(text);
  if (known !== undefined || text.length > LONGEST_ADDRESS) return known;
  const address = parseAddress(text);
  if (address === undefined) return undefined;
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  const canonical = address.toString();
  const limitKey =
    address.kind() === 'ipv4'
      ? canonical
      : `${ipaddr.IPv6.networkAddressFromCIDR(`${canonical}/${NETWORK_BITS}`).toString()}/${NETWORK_BITS}`;
  const result = { address, canonical, limitKey };
  remembered.set(text, result);
  return result;
}

/** IPv4 strictly as four decimals: other readers take `010.0.0.1` for octal. An IPv4 address inside IPv6 becomes IPv4. */
function parseAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  // The library takes the long abandoned ::10.0.0.1 for ::ffff:10.0.0.1, which is another address.
  if (!text.includes(':') || /^::\d+\./.test(text) || !ipaddr.IPv6.isValid(text)) return undefined;
  const address = ipaddr.IPv6.parse(text);
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  address.zoneId = undefined;
  return address;
}

/**
 * `10.0.0.0/8`, `2001:db8::/32`, or one bare address. A range with bits set behind its prefix is refused, not trimmed:
 * whoever writes `10.1.2.3/8` may mean one address, and would have let in sixteen million.
 */
export function parseCidr(text: string): Cidr {
  const trimmed = text.trim();
  const [left, right, ...more] = trimmed.split('/');
  const network = left.includes('%') ? undefined : parseAddress(left);
  if (network === undefined || more.length > 0) {
    throw new InvalidCidr(`"${text}" is not an IP address or range; write for example 203.0.113.7, 203.0.113.0/24 or 2001:db8::/32`);
  }
  const mapped = network.kind() === 'ipv4' && left.includes(':');
  const width = network.kind() === 'ipv4' ? 32 : 128;
  const least = mapped ? 96 : 0;
  if (right !== undefined && (!/^(0|[1-9]\d{0,2})$/.test(right) || +right < least || +right > least + width)) {
    throw new InvalidCidr(`"${text}" has a wrong prefix length; it must be a number from ${least} to ${least + width}`);
  }
  const bits = right === undefined ? width : +right - least;
  const whole = (network.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6).networkAddressFromCIDR(`${network.toString()}/${bits}`);
  if (whole.toString() !== network.toString()) {
    throw new InvalidCidr(
      `"${text}" is not the start of its range; write ${whole.toString()}/${bits} for the range or ${network.toString()} for the one ` +
        `address`,
    );
  }
  return { network, bits, text: `${network.toString()}/${bits}` };
}

function compile(cidrs: readonly string[]): AddressMatcher {
  const ranges = cidrs.map(parseCidr);
  return (text) => {
    const address = parsed(text)?.address;
    if (address === undefined) return false;
    return ranges.some(({ network, bits }) => network.kind() === address.kind() && address.match(network as never, bits));
  };
}

/** The allowlist of a key: empty admits everyone. */
export function compileAllowlist(cidrs: readonly string[]): AddressMatcher {
  return cidrs.length === 0 ? () => true : compile(cidrs);
}

/** The proxies whose word on X-Forwarded-For counts: empty trusts nobody. */
export function compileProxies(cidrs: readonly string[]): AddressMatcher {
  return compile(cidrs);
}

/**
 * Who called, in canonical spelling. Each proxy appends the address it was called by, so the header is read from its end, as
 * long as the one who appended is trusted; anything further left may have been made up by the client.
 */
export function clientAddress(
  socketAddress: string,
  xForwardedFor: string | readonly string[] | undefined,
  trusted: AddressMatcher,
): string {
  let client = parsed(socketAddress)?.canonical ?? socketAddress;
  if (xForwardedFor === undefined) return client;
  const hops = String(xForwardedFor).split(',');
  while (hops.length > 0 && trusted(client)) {
    const hop = parsed(hops.pop()!.trim());
    if (hop === undefined) return client;
    client = hop.canonical;
  }
  return client;
}

/** What a limit per address counts for: of IPv6 the network, as whoever has one address has all of it. */
export function limitKeyOf(address: string): string {
  return parsed(address)?.limitKey ?? address;
}
