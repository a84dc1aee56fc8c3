import { Module } from '@nestjs/common';
import { KeyExpiryNotices } from './key-expiry-notices.js';

/** Mails that announce the expiry of API keys. Separate from `keys/`, which the command line uses without mail and scheduled jobs. */
@Module({ providers: [KeyExpiryNotices] })
export class KeyExpiryModule {}
