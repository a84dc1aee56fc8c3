import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { explainSkippedTests } from '../../../../test/harness/skipped-tests.js';

/** Independent PDF readers; null, with the reason printed, if they are not installed. */
export interface Poppler {
  /** The text in drawing order: of each page the body, then header and footer, then a watermark. */
  text(pdf: Buffer): string;
  /** As printed on the page: the words of a line from left to right. */
  layout(pdf: Buffer): string;
  /** The left edges of the words that are this text, in points. */
  leftOf(pdf: Buffer, word: string): number[];
  info(pdf: Buffer): Record<string, string>;
  signatures(pdf: Buffer): string;
  /** A page as PNG, cropped as viewers do. */
  picture(pdf: Buffer, page: number): Buffer;
}

export function poppler(): Poppler | null {
  for (const tool of ['pdftotext', 'pdfinfo', 'pdfsig', 'pdftoppm']) {
    if (spawnSync(tool, ['-v'], { stdio: 'ignore' }).error) {
      explainSkippedTests(`Tests that read PDF by poppler-utils are skipped: there is no ${tool}.`);
      return null;
    }
  }
  return {
    text: (pdf) => run('pdftotext', ['-raw'], pdf, ['-']),
    layout: (pdf) => run('pdftotext', ['-layout'], pdf, ['-']),
    leftOf: (pdf, word) =>
      [...run('pdftotext', ['-bbox'], pdf, ['-']).matchAll(/<word xMin="([\d.]+)"[^>]*>([^<]*)</g)]
        .filter(([, , text]) => text === word)
        .map(([, left]) => Number(left)),
    info: (pdf) =>
      Object.fromEntries(
        run('pdfinfo', [], pdf, [])
          .split('\n')
          .map((line) => /^([^:]+):\s*(.*)$/.exec(line))
          .filter((pair) => pair !== null)
          .map(([, name, value]) => [name, value]),
      ),
    signatures: (pdf) => run('pdfsig', ['-nocert'], pdf, []),
    picture: (pdf, page) => onFile('pdftoppm', ['-png', '-cropbox', '-f', String(page), '-l', String(page)], pdf, []).stdout,
  };
}

function run(tool: string, options: string[], pdf: Buffer, rest: string[]): string {
  const { stdout, stderr } = onFile(tool, options, pdf, rest);
  return stdout.toString() + stderr;
}

function onFile(tool: string, options: string[], pdf: Buffer, rest: string[]): { stdout: Buffer; stderr: string } {
  const dir = mkdtempSync(join(tmpdir(), 'test-pdf-'));
  try {
    const file = join(dir, 'document.pdf');
    writeFileSync(file, pdf);
    const { stdout, stderr, status } = spawnSync(tool, [...options, file, ...rest], { maxBuffer: 64 * 1024 * 1024 });
    // pdfsig reports an invalid signature by its exit code, and in its output
    if (status !== 0 && tool !== 'pdfsig') throw new Error(`${tool} rejects the file: ${stderr.toString()}`);
    return { stdout, stderr: stderr.toString() };
  } finally {
    rmSync(dir, { recursive: true });
  }
}
