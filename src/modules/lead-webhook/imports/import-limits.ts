import type { CsvLimits } from '../../../kit/index.js';

/** 100,000 rows of 335 bytes: several times what a row of leads has. */
export const IMPORT_LIMITS: CsvLimits = { bytes: 32 * 1024 * 1024, rows: 100_000 };
