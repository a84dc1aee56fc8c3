// IP addresses: the client's address behind proxies, the ranges of allowlists, and which addresses count as one caller.

import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
export type AddressMatcher = (address: string) => boolean;

interface Cidr {
  network: Address;
  bits: number;
  /** The canonical form, which is stored and displayed. */
  text: string;
}

/** The message is for the person who entered the range. */
export class InvalidCidr extends Error {
  override readonly name = 'InvalidCidr';
}

interface ParsedAddress {
  address: Address;
  canonical: string;
  limitKey: string;
}

const CACHE_SIZE = 2_000;
const MAX_ADDRESS_LENGTH = 64;
/** The smallest network that a provider assigns to a customer. */
const NETWORK_BITS = 64;
const cache = new Map<string, ParsedAddress>();

/** Cached, because the library takes 15 microseconds for an IPv6 address and the same addresses call repeatedly. */
function parsed(text: string): ParsedAddress | undefined {
  const known = cache.get(text);
  if (known !== undefined || text.length > MAX_ADDRESS_LENGTH) return known;
  const address = parseAddress(text);
  if (address === undefined) return undefined;
  if (cache.size >= CACHE_SIZE) cache.clear();
  const canonical = address.toString();
  const limitKey =
    address.kind() === 'ipv4'
      ? canonical
      : `${ipaddr.IPv6.networkAddressFromCIDR(`${canonical}/${NETWORK_BITS}`).toString()}/${NETWORK_BITS}`;
  const result = { address, canonical, limitKey };
  cache.set(text, result);
  return result;
}

/** Accepts IPv4 only as four decimals: other parsers read `010.0.0.1` as octal. An IPv4-mapped IPv6 address becomes IPv4. */
function parseAddress(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  // The library reads the deprecated ::10.0.0.1 as ::ffff:10.0.0.1, which is another address.
  if (!text.includes(':') || /^::\d+\./.test(text) || !ipaddr.IPv6.isValid(text)) return undefined;
  const address = ipaddr.IPv6.parse(text);
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  address.zoneId = undefined;
  return address;
}

/**
 * `10.0.0.0/8`, `2001:db8::/32`, or a single address. A range with bits set after its prefix is rejected, not truncated:
 * `10.1.2.3/8` may be meant as one address and would allow sixteen million.
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
  const min = mapped ? 96 : 0;
  if (right !== undefined && (!/^(0|[1-9]\d{0,2})$/.test(right) || +right < min || +right > min + width)) {
    throw new InvalidCidr(`"${text}" has a wrong prefix length; it must be a number from ${min} to ${min + width}`);
  }
  const bits = right === undefined ? width : +right - min;
  const range = (network.kind() === 'ipv4' ? ipaddr.IPv4 : ipaddr.IPv6).networkAddressFromCIDR(`${network.toString()}/${bits}`);
  if (range.toString() !== network.toString()) {
    throw new InvalidCidr(
      `"${text}" is not the start of its range; ` +
        `write ${range.toString()}/${bits} for the range or ${network.toString()} for the single address`,
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

/** The allowlist of a key: if empty, every address is allowed. */
export function compileAllowlist(cidrs: readonly string[]): AddressMatcher {
  return cidrs.length === 0 ? () => true : compile(cidrs);
}

/** The proxies whose X-Forwarded-For header is trusted: if empty, none. */
export function compileProxies(cidrs: readonly string[]): AddressMatcher {
  return compile(cidrs);
}

/**
 * The client's address in canonical form. Each proxy appends the address of its peer, so the header is read from its end as long as
 * the proxy that appended is trusted; the client may have forged anything further left.
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
    const hop = parsed(withoutPort(hops.pop()!.trim()));
    if (hop === undefined) return client;
    client = hop.canonical;
  }
  return client;
}

/** `203.0.113.7:51234` and `[2001:db8::1]:443`, as some gateways write their peer. IPv6 without brackets has no port. */
function withoutPort(hop: string): string {
  return /^\[([\da-f:.]+)\](?::\d{1,5})?$/i.exec(hop)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(hop)?.[1] ?? hop;
}

/** The id under which an address is limited: for IPv6 its network, because a client can use all addresses in it. */
export function limitKeyOf(address: string): string {
  return parsed(address)?.limitKey ?? address;
}
