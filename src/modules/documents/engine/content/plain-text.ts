const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** The text of a page made by this service's renderer: sanitized HTML with every tag closed. */
export function textOfHtml(html: string): string {
  return (
    html
      .replace(/^[\s\S]*<main[^>]*>|<\/main>[\s\S]*$/g, '')
      // The page's metadata is not part of the document.
      .replace(/<header>[\s\S]*?<\/header>|<p class="mark">[^<]*<\/p>/g, '')
      .replace(/\s+/g, ' ')
      .replace(/<table[^>]*>(.*?)<\/table>/g, (_, table: string) => `\n\n${rowsOf(table).join('<br>')}\n\n`)
      .replace(/<h([1-6])[^>]*>/g, (_, level: string) => `\n\n${'#'.repeat(Number(level))} `)
      .replace(/<[ou]l[^>]*>/g, '\n\n')
      .replace(/<li[^>]*>/g, '\n- ')
      .replace(/<br[^>]*>/g, '\n')
      .replace(/<\/(?:h[1-6]|p|ul|ol|blockquote|div)>/g, '\n\n')
      .replace(/<[^>]+>/g, '')
      .replace(
        /&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi,
        (whole, decimal: string | undefined, hex: string | undefined, name: string | undefined) =>
          name !== undefined
            ? (ENTITIES[name.toLowerCase()] ?? whole)
            : String.fromCodePoint(decimal !== undefined ? Number(decimal) : parseInt(hex as string, 16)),
      )
      .replace(/[^\S\n]*\n[^\S\n]*/g, '\n')
      .replace(/\n{3,}/g, '\n\n')
      .trim()
  );
}

/** Labeled lines: "Fee: EUR 100.00", or "Item: Chairs | Quantity: 4" for tables with more columns. */
function rowsOf(table: string): string[] {
  const [body, foot = ''] = table.split(/<tfoot[^>]*>/);
  const [header = [], ...rows] = cellsOf(body);
  const totals = cellsOf(foot);
  if (header.length !== 2) {
    const labeled = (cell: string, index: number) => (header[index] ? `${header[index]}: ${cell}` : cell);
    return [
      ...rows.map((cells) => cells.map(labeled).join(' | ')),
      ...totals.map(([total, ...sums]) => [total, ...sums.map((sum, index) => sum && labeled(sum, index + 1)).filter(Boolean)].join(' | ')),
    ];
  }
  return [
    ...(header.join('') === '' ? [] : [header.join(' | ')]),
    ...[...rows, ...totals].map(([label, value]) => (label === '' ? value : `${label}: ${value}`)),
  ];
}

function cellsOf(rows: string): string[][] {
  return [...rows.matchAll(/<tr[^>]*>(.*?)<\/tr>/g)].map(([, row]) =>
    [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/g)].map(([, cell]) =>
      cell
        .replace(/<[^>]+>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    ),
  );
}
