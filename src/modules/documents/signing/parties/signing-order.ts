import type { SignatureParty } from '../../model/records/signature-party.entity.js';

type Turn = Pick<SignatureParty, 'turn' | 'required' | 'status'>;

/** Those whose signature the document waits for: the required ones; where none is required, all. */
export function awaited<P extends Turn>(parties: readonly P[]): P[] {
  const counted = parties.some(({ required }) => required) ? parties.filter(({ required }) => required) : parties;
  return counted.filter(({ status }) => status !== 'signed');
}

/** Those who wait and whose turn it is: parties of one turn sign in any order, once all required of the turns before have. */
export function due<P extends Turn>(parties: readonly P[]): P[] {
  const blocking = parties.filter(({ required, status }) => required && status !== 'signed').map(({ turn }) => turn);
  const reached = Math.min(...blocking, Infinity);
  return parties.filter(({ status, turn }) => status === 'waiting' && turn <= reached);
}
