import { invalid } from '../../../../kit/index.js';

interface Named {
  id: string;
  name: string;
}

/** What other names must differ from: the title, and the names of the other files. */
export interface TakenNames {
  title: string;
  files: readonly { name: string }[];
}

/** The files in another order, or under other names. `param`: of the list. */
export function arranged<F extends Named>(
  { title, files }: { title: string; files: readonly F[] },
  given: readonly { id: string; name?: string }[],
  param: string,
): F[] {
  const wrong = given.findIndex(
    ({ id }, index) => !files.some((file) => file.id === id) || given.findIndex((one) => one.id === id) < index,
  );
  if (wrong >= 0)
    throw invalid(
      `${param}.${wrong}.id`,
      'must be the id of one of the files, once',
      files.map(({ id }) => id),
    );
  if (given.length < files.length) throw invalid(param, `must list all ${files.length} files; delete those that are no longer needed`);
  const named = given.map(({ id, name }) => ({
    ...(files.find((file) => file.id === id) as F),
    ...(name === undefined ? {} : { name: name.trim() }),
  }));
  named.forEach((file, index) => {
    const others = { title, files: named.filter((one) => one !== file) };
    if (given[index].name !== undefined) requireFreeName(file.name, others, `${param}.${index}.name`);
  });
  return named;
}

export function requireFreeName(name: string, taken: TakenNames, param = 'name'): void {
  if (name === '' || namesOf(taken).includes(name.toLowerCase()))
    throw invalid(param, 'must be another one than the title and the names of the other files');
}

export function freeName(name: string, taken: TakenNames): string {
  const names = namesOf(taken);
  let free = name;
  for (let number = 2; names.includes(free.toLowerCase()); number++) free = `${name} ${number}`;
  return free;
}

function namesOf({ title, files }: TakenNames): string[] {
  return [title, ...files.map(({ name }) => name)].map((name) => name.toLowerCase());
}

const LONGEST_OWN_NAME = 150;

/** A name that people read, of a PDF: that of the file, or else the title that the PDF has. */
export function nameOf(...names: readonly (string | null | undefined)[]): string {
  const [first] = names.flatMap((given) => {
    const name = (given ?? '')
      .replace(/\.pdf$/i, '')
      .toWellFormed()
      .replace(/[\p{Cc}\s]+/gu, ' ')
      .trim();
    return name.slice(0, LONGEST_OWN_NAME).trim() || [];
  });
  return first ?? 'File';
}

/** The name of the file at an address. */
export function lastSegment(url: string): string {
  try {
    return decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '');
  } catch {
    return '';
  }
}
