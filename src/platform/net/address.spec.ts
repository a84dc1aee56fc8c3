import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { clientAddress, compileAllowlist, compileProxies, InvalidCidr, limitKeyOf, parseCidr } from './address.js';

describe('parseCidr', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7/32'],
    [' 10.0.0.0/8 ', '10.0.0.0/8'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8:0:0::1', '2001:db8::1/128'],
    ['2001:db8::/32', '2001:db8::/32'],
    ['::/0', '::/0'],
    ['::ffff:10.0.0.0/104', '10.0.0.0/8'],
    ['::ffff:0a00:0001', '10.0.0.1/32'],
  ])('%s is %s', (text, canonical) => expect(parseCidr(text).text).toBe(canonical));

  test.each([
    ['10.1.2.3/8', 'write 10.0.0.0/8 for the range or 10.1.2.3 for the single address'],
    ['2001:db8::1/32', 'write 2001:db8::/32 for the range or 2001:db8::1 for the single address'],
    ['10.0.0.0/33', 'a number from 0 to 32'],
    ['2001:db8::/129', 'a number from 0 to 128'],
    ['::ffff:10.0.0.0/8', 'a number from 96 to 128'],
    ['10.0.0.0/', 'wrong prefix length'],
    ['10.0.0.0/08', 'wrong prefix length'],
    ['10.0.0.0/-1', 'wrong prefix length'],
    ['10.0.0.0/8/8', 'is not an IP address or range'],
    ['010.0.0.1', 'is not an IP address or range'],
    ['0x0a.0.0.1', 'is not an IP address or range'],
    ['10.1', 'is not an IP address or range'],
    ['167772161', 'is not an IP address or range'],
    ['fe80::1%eth0', 'is not an IP address or range'],
    ['example.com', 'is not an IP address or range'],
    ['', 'is not an IP address or range'],
  ])('rejects %j: %s', (text, reason) => {
    expect(() => parseCidr(text)).toThrow(InvalidCidr);
    expect(() => parseCidr(text)).toThrow(reason);
  });
});

describe('compileAllowlist', () => {
  const admits = compileAllowlist(['10.0.0.0/8', '203.0.113.7', '2001:db8::/32']);

  test.each(['10.255.255.255', '203.0.113.7', '::ffff:10.1.2.3', '::ffff:cb00:7107', '2001:db8:ffff::1', '2001:DB8::1'])(
    'admits %s',
    (address) => {
      expect(admits(address)).toBe(true);
    },
  );
  test.each(['11.0.0.0', '9.255.255.255', '203.0.113.6', '::10.1.2.3', '2001:db9::1', '', 'unknown', '10.1'])(
    'does not match %j',
    (address) => {
      expect(admits(address)).toBe(false);
    },
  );
  test('distinguishes IPv4 and IPv6', () => {
    expect(compileAllowlist(['::/0'])('10.0.0.1')).toBe(false);
    expect(compileAllowlist(['0.0.0.0/0'])('2001:db8::1')).toBe(false);
  });
  test('an empty list admits everyone', () => expect(compileAllowlist([])('198.51.100.1')).toBe(true));
  test('rejects an invalid range when compiling', () => expect(() => compileAllowlist(['10.0.0.0/8', 'x'])).toThrow(InvalidCidr));

  test('matches as the bits do', () => {
    const word = fc.nat(0xffffffff);
    const dotted = (n: number) => [24, 16, 8, 0].map((shift) => (n >>> shift) & 255).join('.');
    const hex = (n: bigint) => n.toString(16).padStart(32, '0').match(/.{4}/g)!.join(':');
    fc.assert(
      fc.property(word, fc.nat(32), word, fc.nat(32), (base, bits, noise, sharedBits) => {
        const span = 2 ** (32 - bits);
        const network = Math.floor(base / span) * span;
        const address = ((base ^ (sharedBits === 32 ? 0 : noise >>> sharedBits)) >>> 0) as number;
        const inside = Math.floor(address / span) === Math.floor(base / span);
        expect(compileAllowlist([`${dotted(network)}/${bits}`])(dotted(address))).toBe(inside);
        expect(compileAllowlist([`${dotted(network)}/${bits}`])(`::ffff:${dotted(address)}`)).toBe(inside);
      }),
    );
    const wide = fc.bigInt({ min: 0x2001n << 112n, max: (0x2002n << 112n) - 1n });
    fc.assert(
      fc.property(wide, fc.integer({ min: 0, max: 128 }), fc.nat(127), (base, bits, flipped) => {
        const behind = BigInt(128 - bits);
        const address = base ^ (1n << BigInt(127 - flipped));
        const matcher = compileAllowlist([`${hex((base >> behind) << behind)}/${bits}`]);
        expect(matcher(hex(base))).toBe(true);
        expect(matcher(hex(address))).toBe(flipped >= bits);
      }),
    );
  });
});

describe('clientAddress', () => {
  const proxies = compileProxies(['10.0.0.0/8', 'fd00::/8']);

  test.each<[string, string, string | string[] | undefined, string]>([
    ['without the header it is the socket', '10.0.0.1', undefined, '10.0.0.1'],
    ['a socket on both families is read as IPv4', '::ffff:198.51.100.1', undefined, '198.51.100.1'],
    ['the header of an untrusted socket is ignored', '198.51.100.1', '203.0.113.7', '198.51.100.1'],
    ['the header of a proxy is used', '10.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['also over IPv4 in IPv6', '::ffff:10.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['entries before the last untrusted address are ignored', '10.0.0.1', '1.1.1.1, 203.0.113.7, 10.0.0.2', '203.0.113.7'],
    ['also over several header lines', '10.0.0.1', ['1.1.1.1', '203.0.113.7', 'fd00::2'], '203.0.113.7'],
    ['only proxies: the farthest one', '10.0.0.1', '10.0.0.3,10.0.0.2', '10.0.0.3'],
    ['a malformed entry stops the walk', '10.0.0.1', '203.0.113.7, unknown, 10.0.0.2', '10.0.0.2'],
    ['an empty entry too', '10.0.0.1', '203.0.113.7,', '10.0.0.1'],
    ['an obfuscated entry too', '10.0.0.1', '203.0.113.7, _hidden', '10.0.0.1'],
    ['IPv4 with a port', '10.0.0.1', '203.0.113.7:51234', '203.0.113.7'],
    ['IPv6 with a port', '10.0.0.1', '[2001:DB8::1]:443', '2001:db8::1'],
    ['IPv6 in brackets', '10.0.0.1', ' [2001:db8::1] ', '2001:db8::1'],
    ['IPv4 in IPv6 with a port', '10.0.0.1', '[::ffff:203.0.113.7]:80', '203.0.113.7'],
    ['proxies with ports', '10.0.0.1', '203.0.113.7:1, [fd00::2]:2,10.0.0.2:65535', '203.0.113.7'],
    ['entries with ports before the last untrusted address are ignored', '10.0.0.1', '1.1.1.1:1, 203.0.113.7:4711', '203.0.113.7'],
    ['the end of IPv6 without brackets is no port', '10.0.0.1', '2001:db8::1:443', '2001:db8::1:443'],
    ['a port that is no number stops the walk', '10.0.0.1', '203.0.113.7:http', '10.0.0.1'],
    ['brackets around IPv4 too', '10.0.0.1', '[203.0.113.7:80', '10.0.0.1'],
    ['IPv6 is spelled canonically', '10.0.0.1', '2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['a zone is dropped', 'fe80::1%eth0', undefined, 'fe80::1'],
    ['a socket without address, as in process, is believed in nothing', '', '203.0.113.7', ''],
  ])('%s', (_, socket, header, client) => expect(clientAddress(socket, header, proxies)).toBe(client));

  test('with no proxy named the header counts for nothing', () => {
    expect(clientAddress('10.0.0.1', '203.0.113.7', compileProxies([]))).toBe('10.0.0.1');
  });

  test('forged entries before the last trusted hop do not change the result', () => {
    fc.assert(
      fc.property(fc.string(), (forged) => {
        expect(clientAddress('10.0.0.1', `${forged}, 203.0.113.7, 10.0.0.2`, proxies)).toBe('203.0.113.7');
      }),
    );
  });
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:aaaa:bbbb:cccc:dddd', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['fe80::1%eth0', 'fe80::/64'],
  ['unknown', 'unknown'],
])('%s is limited as %s', (address, key) => expect(limitKeyOf(address)).toBe(key));
