import type { Settings } from '../../../kit/index.js';
import type { Booking } from '../model/records/booking.entity.js';
import type { ReaderLink } from './mail-layout.js';

/** The address at which the guest sees, moves or cancels a booking; null if it is no longer known. */
export function guestUrlOf({ token_sealed }: Booking, settings: Settings): string | null {
  return token_sealed === null ? null : `${settings.baseUrl}/b/manage/${settings.decrypt(token_sealed)}`;
}

export function guestLink(url: string): ReaderLink {
  return {
    url,
    lead: 'See, move or cancel it:',
    button: 'See, move or cancel it',
    note: 'The link is for you only. If you did not request this appointment, cancel it there or ignore this mail.',
  };
}
