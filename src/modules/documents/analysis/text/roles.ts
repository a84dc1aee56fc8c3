/** The side that receives and usually pays, and the side that provides. An employee counts as receiver, usually the weaker side. */
export type Side = 'receiver' | 'provider';

const RECEIVERS = [
  'customer',
  'client',
  'buyer',
  'purchaser',
  'licensee',
  'tenant',
  'lessee',
  'renter',
  'employee',
  'worker',
  'subscriber',
  'end user',
  'user',
  'you',
  'recipient',
  'auftraggeber',
  'kunde',
  'käufer',
  'besteller',
  'mieter',
  'arbeitnehmer',
  'lizenznehmer',
  'nutzer',
];
const PROVIDERS = [
  'supplier',
  'service provider',
  'provider',
  'vendor',
  'seller',
  'contractor',
  'consultant',
  'licensor',
  'landlord',
  'lessor',
  'owner',
  'employer',
  'company',
  'we',
  'discloser',
  'contributor',
  'copyright holder',
  'author',
  'auftragnehmer',
  'anbieter',
  'verkäufer',
  'vermieter',
  'arbeitgeber',
  'lizenzgeber',
  'dienstleister',
  'lieferant',
];

const SIDES = new Map<string, Side>([
  ...RECEIVERS.map((role) => [role, 'receiver'] as const),
  ...PROVIDERS.map((role) => [role, 'provider'] as const),
]);

/** A pattern for a role with its article; captures the role in the named group. */
export function role(group: string): string {
  return (
    `(?:the |each |any |such |der |die |den |dem |des ` +
    `)?(?<${group}>${[...SIDES.keys()].sort((a, b) => b.length - a.length).join('|')})(?:in|n|s|innen)?(?![\\p{L}\\p{N}])`
  );
}

/** A pattern for the text between a role and its verb: up to `most` characters without another role. */
export function apart(most: number): string {
  return `(?:(?!(?<!\\p{L})(?:${[...SIDES.keys()].join('|')})(?!\\p{L}))[^]){0,${most}}?`;
}

const ROLE = new RegExp(`^${role('role')}$`, 'iu');

export function isRole(name: string): boolean {
  return ROLE.test(name);
}

const PERSPECTIVE_SIDES: Record<string, Side> = {
  customer: 'receiver',
  tenant: 'receiver',
  licensee: 'receiver',
  employee: 'receiver',
  supplier: 'provider',
  landlord: 'provider',
  licensor: 'provider',
  employer: 'provider',
};

/** The side of a perspective; null is neutral. */
export function sideOfPerspective(perspective: string): Side | null {
  return PERSPECTIVE_SIDES[perspective.trim().toLowerCase()] ?? null;
}

const COMPANY_BUYS = /\b(?:contractor|consultant|supplier|service provider|vendor)\b/gi;
const COMPANY_SELLS = /\b(?:customer|client|employee|user|subscriber|licensee|tenant)s?\b/gi;

/** Maps a role to its side within one contract: "company" may buy from contractors or sell to customers. */
export function sidesOf(text: string): (role: string) => Side | null {
  const opening = text.slice(0, 20_000);
  const companyBuys = count(opening, COMPANY_BUYS) > count(opening, COMPANY_SELLS);
  return (name) => {
    const known = name.toLowerCase();
    if (known === 'company') return companyBuys ? 'receiver' : 'provider';
    return SIDES.get(known) ?? null;
  };
}

export function otherSide(side: Side | null): Side | null {
  if (side === null) return null;
  return side === 'receiver' ? 'provider' : 'receiver';
}

function count(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].length;
}
