import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../config/project-root.js';
import type { AppConfig } from '../config/settings.js';
import { SUITE_VERSION } from '../config/suite-version.js';

/** Which code runs. */
export class Release {
  private constructor(
    readonly version: string,
    /** That of the suite's source; null if nobody noted it. */
    readonly commit: string | null,
  ) {}

  static of({ sourceCommit }: Pick<AppConfig, 'sourceCommit'>): Release {
    return new Release(SUITE_VERSION, sourceCommit ?? builtCommit());
  }
}

/** That which the build has noted. */
function builtCommit(): string | null {
  try {
    return readFileSync(join(PACKAGE_ROOT, 'dist', 'source-commit'), 'utf8').trim() || null;
  } catch {
    return null;
  }
}
