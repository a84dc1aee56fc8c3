import { createHmac, randomBytes } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { PEOPLE_SETTINGS, type PeopleSettings } from '../model/people-settings.js';

/** Session tokens and what is derived from them with SESSION_SECRET; tokens are not stored. */
@Injectable()
export class SessionTokens {
  constructor(@Inject(PEOPLE_SETTINGS) private readonly settings: PeopleSettings) {}

  generate(): string {
    return randomBytes(32).toString('base64url');
  }

  hashOf(token: string): Buffer {
    return this.mac(`session:${token}`).digest();
  }

  csrfTokenOf(token: string): string {
    return this.mac(`csrf:${token}`).digest('base64url');
  }

  /** For the step between the password and the code of a sign-in: names the member until the time, as long as the password stays. */
  secondFactorTokenOf(memberId: string, until: number, passwordHash: string): string {
    return `${memberId}.${until}.${this.mac(`second factor:${memberId}:${until}:${passwordHash}`).digest('base64url')}`;
  }

  private mac(text: string) {
    return createHmac('sha256', this.settings.sessionSecret.reveal()).update(text);
  }
}
