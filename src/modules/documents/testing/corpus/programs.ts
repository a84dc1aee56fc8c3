import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { explainSkippedTests } from '../../../../../test/harness/skipped-tests.js';

const LONGEST_MS = 120_000;
const JARS = ['preflight', 'pdfbox2', 'fontbox2', 'xmpbox', 'commons-logging', 'javax.activation', 'jaxb-api'].map(
  (jar) => `/usr/share/java/${jar}.jar`,
);

const known = new Map<string, boolean>();

/** Whether a program is installed; the reason why something is skipped is printed if not. */
export function has(program: string): boolean {
  const found = known.get(program) ?? !spawnSync(program, ['--version'], { stdio: 'ignore', timeout: LONGEST_MS }).error;
  known.set(program, found);
  if (!found) explainSkippedTests(`Without ${program}, the corpus has fewer files or checks.`);
  return found;
}

export function run(program: string, args: readonly string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(program, [...args], { encoding: 'utf8', maxBuffer: 64 * 2 ** 20, timeout: LONGEST_MS });
}

/** What `qpdf --check` finds: worse results are higher. */
export function syntaxFaults(path: string): { count: number; text: string } | null {
  if (!has('qpdf')) return null;
  const { status, stderr } = run('qpdf', ['--check', path]);
  return { count: 100 * (status ?? 2) + (stderr.match(/WARNING/g)?.length ?? 0), text: stderr.slice(0, 300) };
}

/** How many signatures poppler finds valid, and whether the last one covers the whole file. */
export function signaturesOf(path: string): { valid: number; isLastTotal: boolean } | null {
  if (!has('pdfsig')) return null;
  const { stdout } = run('pdfsig', ['-nocert', path]);
  const last = stdout.slice(stdout.lastIndexOf('Signature #'));
  return { valid: stdout.match(/Signature is Valid/g)?.length ?? 0, isLastTotal: last.includes('Total document signed') };
}

/** What PDFBox's preflight finds in a file that claims to be PDF/A-1b, as kinds of errors; null if it cannot be asked. */
export function archiveFaults(path: string): Set<string> | null {
  if (!has('java') || !JARS.every(existsSync)) {
    explainSkippedTests('PDFBox preflight is skipped (Debian: apt-get install libpdfbox2-java libactivation-java libjaxb-api-java).');
    return null;
  }
  const { stdout, stderr } = run('java', ['-cp', JARS.join(':'), 'org.apache.pdfbox.preflight.Validator_A1b', path]);
  if (!/is (not )?a valid PDF\/A-1b file/.test(stdout)) throw new Error(`PDFBox preflight fails: ${stdout}${stderr}`.slice(0, 500));
  return new Set([...stdout.matchAll(/^(\d[\d.]*) : (.*)$/gm)].map(([, code, text]) => `${code} ${text}`));
}
