import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { Purge } from '../persistence/purge.js';

const EVERY_MS = 10 * 60_000;

/** Forgets failed sign-ins whose window is over: whoever guesses never comes to the success that would forgive them. */
@Injectable()
export class SignInFailuresPurge extends Purge {
  constructor(@InjectDataSource() dataSource: DataSource) {
    super(dataSource, EVERY_MS);
  }

  protected outlived() {
    return [{ table: 'sign_in_failures', where: 'window_ends_at <= now()', values: [] }];
  }
}
