import type { FormTexts } from './en.js';

export const ES: FormTexts = {
  rejectedTitle: (title) => `Aún no enviado: ${title}`,
  sentTitle: (title) => `Enviado: ${title}`,
  notSent: 'Aún no se ha enviado',
  thanks: 'Gracias. Hemos recibido sus respuestas.',
  tooMany: (minutes) =>
    `Han llegado demasiados envíos desde su red. Sus respuestas siguen aquí: vuelva a enviarlas dentro de ${minutes} minutos.`,
  send: 'Enviar',
  optional: 'opcional',
  choose: 'Elija una opción',
  row: (label, row) => `${label}, fila ${row}`,
  hints: {
    money: (currency, example) => `En ${currency}, por ejemplo ${example}`,
    phone: 'Con el prefijo del país, por ejemplo +34 91 123 45 67',
    time: (zone) => `En la zona horaria ${zone}`,
  },
  problems: {
    required: (label) => `${label}: rellene este campo.`,
    tick: (label) => `Marque la casilla: ${label}`,
    money: (label, example) => `${label}: indique un importe como ${example}.`,
    negative: (label) => `${label}: el importe no puede ser negativo.`,
    integer: (label, example) => `${label}: indique un número entero como ${example}.`,
    number: (label, example) => `${label}: indique un número como ${example}.`,
    digits: (label) => `${label}: el número tiene más cifras de las que se pueden guardar con exactitud.`,
    email: (label) => `${label}: indique una dirección de correo válida.`,
    date: (label, example) => `${label}: indique un día, por ejemplo ${example}.`,
    time: (label) => `${label}: indique un día con su hora.`,
    uri: (label) => `${label}: indique una dirección que empiece por https://.`,
    phone: (label) => `${label}: indique un teléfono con el prefijo del país, como +34 91 123 45 67.`,
    party: (label) => `${label}: indique el nombre de una persona o empresa, en una línea de 255 caracteres como máximo.`,
    user: (label) => `${label}: indique la dirección de correo de un miembro.`,
    currency: (label) => `${label}: indique el código de una moneda, como EUR.`,
    format: (label) => `${label}: la respuesta no tiene la forma requerida.`,
    oneOf: (label, values) => `${label}: los valores posibles son ${values}.`,
    shortest: (label, limit) => `${label}: como mínimo ${limit} caracteres.`,
    longest: (label, limit) => `${label}: como máximo ${limit} caracteres.`,
    least: (label, limit) => `${label}: como mínimo ${limit}.`,
    most: (label, limit) => `${label}: como máximo ${limit}.`,
    above: (label, limit) => `${label}: más de ${limit}.`,
    below: (label, limit) => `${label}: menos de ${limit}.`,
    multiple: (label, of) => `${label}: indique un múltiplo de ${of}.`,
    fewestRows: (label, limit) => `${label}: como mínimo ${limit} filas.`,
    mostRows: (label, limit) => `${label}: como máximo ${limit} filas.`,
    invalid: (label) => `${label}: la respuesta no es válida.`,
  },
  upload: {
    label: 'PDF rellenado',
    hint:
      'Los valores del archivo se copian en los campos de abajo y sustituyen su contenido. ' +
      'Todavía no se envía nada. Como máximo 10 MiB.',
    button: 'Rellenar desde el archivo',
    notRead: (name) => `PDF rellenado: ${name} no se ha leído. Elíjalo de nuevo y pulse «Rellenar desde el archivo», o envíe sin él.`,
    tooLarge: 'PDF rellenado: el archivo supera los 10 MiB.',
    none: 'PDF rellenado: elija primero un archivo.',
    noPdf: 'PDF rellenado: el archivo no es un PDF.',
    noText:
      'PDF rellenado: el archivo no tiene texto donde deberían estar los valores; una página escaneada no se puede leer. ' +
      'Rellene los campos de abajo.',
    unreadable: () => 'PDF rellenado: el archivo no se puede leer.',
    unable: 'PDF rellenado: este formulario no puede leer archivos en este momento. Rellene los campos de abajo.',
    busy:
      'PDF rellenado: se están leyendo demasiados archivos, o este tarda demasiado. ' +
      'Vuelva a intentarlo en un momento, o rellene los campos.',
    field: (label) => `${label}: el valor no se pudo leer del archivo.`,
    rows: (label, rows, most) => `${label}: el archivo tiene ${rows} filas y este formulario admite ${most}. Las demás se han omitido.`,
    filledNone: 'No se rellenó ningún campo desde el archivo. Rellene los campos y envíe.',
    filled: (count) => `${count === 1 ? 'Se rellenó 1 campo' : `Se rellenaron ${count} campos`} desde el archivo. Revíselo todo y envíe.`,
  },
};
