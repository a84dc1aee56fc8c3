import type { SignatureParty } from '../../../model/records/signature-party.entity.js';

type OrderedParty = Pick<SignatureParty, 'turn' | 'required' | 'status'>;

/** The parties whose signatures are still needed: the required ones, or all if none is required. */
export function awaited<P extends OrderedParty>(parties: readonly P[]): P[] {
  const counted = parties.some(({ required }) => required) ? parties.filter(({ required }) => required) : parties;
  return counted.filter(({ status }) => status !== 'signed');
}

/** The waiting parties to invite now. Parties with the same number sign in any order, after all required ones with a lower number. */
export function due<P extends OrderedParty>(parties: readonly P[]): P[] {
  const blocking = parties.filter(({ required, status }) => required && status !== 'signed').map(({ turn }) => turn);
  const reached = Math.min(...blocking, Infinity);
  return parties.filter(({ status, turn }) => status === 'waiting' && turn <= reached);
}
