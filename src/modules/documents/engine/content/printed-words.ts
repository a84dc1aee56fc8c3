/** Marks a document without legal effect. */
export type Watermark = 'DRAFT' | 'TEST' | 'TEST DRAFT';

/** Words that documents contain besides their text and values. */
interface PrintedWords {
  yes: string;
  no: string;
  /** Of a row of totals. */
  total: string;
  /** In the layout of a type without a template. */
  field: string;
  value: string;
  number: string;
  draft: string;
}

const EN: PrintedWords = { yes: 'Yes', no: 'No', total: 'Total', field: 'Field', value: 'Value', number: 'Number', draft: 'DRAFT' };

const BY_LANGUAGE: Readonly<Record<string, PrintedWords>> = {
  ar: { yes: 'نعم', no: 'لا', total: 'المجموع', field: 'الحقل', value: 'القيمة', number: 'الرقم', draft: 'مسودة' },
  de: { yes: 'Ja', no: 'Nein', total: 'Summe', field: 'Feld', value: 'Wert', number: 'Nummer', draft: 'ENTWURF' },
  es: { yes: 'Sí', no: 'No', total: 'Total', field: 'Campo', value: 'Valor', number: 'Número', draft: 'BORRADOR' },
  fr: { yes: 'Oui', no: 'Non', total: 'Total', field: 'Champ', value: 'Valeur', number: 'Numéro', draft: 'PROJET' },
  he: { yes: 'כן', no: 'לא', total: 'סך הכול', field: 'שדה', value: 'ערך', number: 'מספר', draft: 'טיוטה' },
  hi: { yes: 'हाँ', no: 'नहीं', total: 'कुल', field: 'फ़ील्ड', value: 'मान', number: 'संख्या', draft: 'मसौदा' },
  it: { yes: 'Sì', no: 'No', total: 'Totale', field: 'Campo', value: 'Valore', number: 'Numero', draft: 'BOZZA' },
  ja: { yes: 'はい', no: 'いいえ', total: '合計', field: '項目', value: '内容', number: '番号', draft: '下書き' },
  ko: { yes: '예', no: '아니요', total: '합계', field: '항목', value: '내용', number: '번호', draft: '초안' },
  nl: { yes: 'Ja', no: 'Nee', total: 'Totaal', field: 'Veld', value: 'Waarde', number: 'Nummer', draft: 'CONCEPT' },
  pl: { yes: 'Tak', no: 'Nie', total: 'Razem', field: 'Pole', value: 'Wartość', number: 'Numer', draft: 'PROJEKT' },
  pt: { yes: 'Sim', no: 'Não', total: 'Total', field: 'Campo', value: 'Valor', number: 'Número', draft: 'RASCUNHO' },
  th: { yes: 'ใช่', no: 'ไม่ใช่', total: 'รวม', field: 'รายการ', value: 'ค่า', number: 'เลขที่', draft: 'ฉบับร่าง' },
  zh: { yes: '是', no: '否', total: '合计', field: '项目', value: '内容', number: '编号', draft: '草稿' },
  'zh-Hant': { yes: '是', no: '否', total: '合計', field: '項目', value: '內容', number: '編號', draft: '草稿' },
};

/** BCP 47. */
export const PRINTED_LANGUAGES: readonly string[] = ['en', ...Object.keys(BY_LANGUAGE)];

/** The words in a language (BCP 47), or else in English. */
export function printedWords(language: string): PrintedWords {
  // Taiwan and Hong Kong write traditional characters
  const { language: base, script } = new Intl.Locale(language).maximize();
  return BY_LANGUAGE[`${base}-${script}`] ?? BY_LANGUAGE[base] ?? EN;
}

export function watermarkText(watermark: Watermark, language: string): string {
  return watermark.replace('DRAFT', printedWords(language).draft);
}

/** The direction in which a language is written. */
export function directionOf(language: string): 'ltr' | 'rtl' {
  const locale = new Intl.Locale(language) as Intl.Locale & { getTextInfo(): { direction: 'ltr' | 'rtl' } };
  return locale.getTextInfo().direction;
}
