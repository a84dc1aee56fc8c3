import {
  PDFArray,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNumber,
  PDFRef,
  type PDFContext,
  type PDFDocument,
  type PDFObject,
  type PDFPage,
} from '@cantoo/pdf-lib';

const name = (text: string) => PDFName.of(text);

/** The structure tags of a file (ISO 32000-1, 14.7), for screen readers. */
export class TagTree {
  private readonly context: PDFContext;
  private readonly root: PDFDict;
  /** The element to which new ones are added: the only one at the top, or else the root. */
  private readonly topRef: PDFRef;

  private constructor({ context }: PDFDocument, rootRef: PDFRef) {
    this.context = context;
    this.root = context.lookup(rootRef, PDFDict);
    const tops = childrenOf(this.root);
    this.topRef = tops.length === 1 ? (tops[0] as PDFRef) : rootRef;
  }

  /** Null for a file without tags. */
  static of(document: PDFDocument): TagTree | null {
    const ref = document.catalog.get(name('StructTreeRoot'));
    return ref instanceof PDFRef ? new TagTree(document, ref) : null;
  }

  /** Moves the elements of a tree that was copied into this file, and those that its pages refer to, to the end of this one. */
  append(copied: PDFRef, pages: readonly PDFPage[]): void {
    const other = this.context.lookup(copied, PDFDict);
    const children = childrenOf(other);
    for (const child of children) {
      const element = this.context.lookup(child, PDFDict);
      element.set(name('P'), this.topRef);
      element.set(name('S'), name('Sect'));
    }
    this.addChildren(children);
    // pages refer to their tags by numbers, which must be unique in the file
    const numbers = this.numbers();
    const next = nextOf(numbers);
    for (const [key, value] of numbersOf(other, this.context)) numbers.set(key + next, value);
    this.setNumbers(numbers);
    for (const { node } of pages) {
      const key = node.lookupMaybe(name('StructParents'), PDFNumber);
      if (key) node.set(name('StructParents'), PDFNumber.of(key.asNumber() + next));
    }
    this.context.delete(copied);
  }

  /** Adds an element for new content of a page. Returns the number that must mark the content (MCID); null if the page has no tags. */
  addContent(page: PDFPage, type: string, text: string): number | null {
    const key = page.node.lookupMaybe(name('StructParents'), PDFNumber)?.asNumber();
    const numbers = this.numbers();
    const known = key === undefined ? undefined : numbers.get(key);
    if (key === undefined || known === undefined) return null;
    const elements = this.context.lookup(known, PDFArray).asArray();
    const element = this.addElement(type, { Pg: page.ref, Alt: PDFHexString.fromText(text), K: PDFNumber.of(elements.length) });
    this.setNumbers(numbers.set(key, this.context.obj([...elements, element])));
    return elements.length;
  }

  /** Adds an element for an annotation of a page. */
  addAnnotation(page: PDFPage, annotation: PDFRef, type: string): void {
    const numbers = this.numbers();
    const key = nextOf(numbers);
    const element = this.addElement(type, { K: this.context.obj({ Type: 'OBJR', Obj: annotation, Pg: page.ref }) });
    this.setNumbers(numbers.set(key, element));
    this.context.lookup(annotation, PDFDict).set(name('StructParent'), PDFNumber.of(key));
  }

  /**
   * Makes annotations of a page content of it: `keys` are their numbers in the tree. Returns the numbers that must mark the content (MCID),
   * by key; none for an annotation that has no element.
   */
  annotationsToContent(page: PDFPage, keys: readonly number[]): Map<number, number> {
    const numbers = this.numbers();
    const pageKey = page.node.lookupMaybe(name('StructParents'), PDFNumber)?.asNumber() ?? nextOf(numbers);
    const known = numbers.get(pageKey);
    const elements = known === undefined ? [] : this.context.lookup(known, PDFArray).asArray();
    const marks = new Map<number, number>();
    for (const key of keys) {
      const ref = numbers.get(key);
      const element = this.context.lookup(ref);
      if (!(ref instanceof PDFRef) || !(element instanceof PDFDict)) continue;
      marks.set(key, elements.length);
      const content = this.context.obj({ Type: 'MCR', Pg: page.ref, MCID: elements.length });
      const others = childrenOf(element).filter((child) => !this.isAnnotation(child));
      element.set(name('K'), this.context.obj([...others, content]));
      elements.push(ref);
      numbers.delete(key);
    }
    if (marks.size === 0) return marks;
    page.node.set(name('StructParents'), PDFNumber.of(pageKey));
    this.setNumbers(numbers.set(pageKey, this.context.obj(elements)));
    return marks;
  }

  private isAnnotation(child: PDFObject): boolean {
    const dict = this.context.lookup(child);
    return dict instanceof PDFDict && dict.lookup(name('Type')) === name('OBJR');
  }

  private addElement(type: string, entries: Record<string, PDFObject>): PDFRef {
    const element = this.context.register(this.context.obj({ Type: 'StructElem', S: type, P: this.topRef, ...entries }));
    this.addChildren([element]);
    return element;
  }

  private addChildren(children: readonly PDFObject[]): void {
    const top = this.context.lookup(this.topRef, PDFDict);
    top.set(name('K'), this.context.obj([...childrenOf(top), ...children]));
  }

  private numbers(): Map<number, PDFObject> {
    return numbersOf(this.root, this.context);
  }

  private setNumbers(numbers: ReadonlyMap<number, PDFObject>): void {
    const entries = [...numbers].sort(([one], [other]) => one - other);
    this.root.set(name('ParentTree'), this.context.obj({ Nums: entries.flatMap(([key, value]) => [PDFNumber.of(key), value]) }));
    this.root.delete(name('ParentTreeNextKey'));
  }
}

function childrenOf(element: PDFDict): PDFObject[] {
  const children = element.get(name('K'));
  const list = children && element.context.lookup(children);
  if (list instanceof PDFArray) return list.asArray();
  return children === undefined ? [] : [children];
}

/** The elements that pages and annotations refer to by number: of pages a list by MCID. */
function numbersOf(root: PDFDict, context: PDFContext): Map<number, PDFObject> {
  const numbers = new Map<number, PDFObject>();
  const read = (node: PDFDict): void => {
    const entries = node.lookupMaybe(name('Nums'), PDFArray)?.asArray() ?? [];
    for (let index = 0; index < entries.length; index += 2) numbers.set((entries[index] as PDFNumber).asNumber(), entries[index + 1]);
    for (const kid of node.lookupMaybe(name('Kids'), PDFArray)?.asArray() ?? []) read(context.lookup(kid, PDFDict));
  };
  const tree = root.lookupMaybe(name('ParentTree'), PDFDict);
  if (tree) read(tree);
  return numbers;
}

function nextOf(numbers: ReadonlyMap<number, PDFObject>): number {
  return Math.max(-1, ...numbers.keys()) + 1;
}
