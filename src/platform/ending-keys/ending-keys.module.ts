import { Module } from '@nestjs/common';
import { KeyEndNotices } from './key-end-notices.js';

/** Mails that announce the end of API keys. Apart from `keys/`, which the commands use without mail and scheduled jobs. */
@Module({ providers: [KeyEndNotices] })
export class EndingKeysModule {}
