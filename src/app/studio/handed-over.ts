/** The files of `adfa studio FILES`, which the server keeps under a key. */
export async function handedOver(key: string): Promise<File[]> {
  const list = (await (await ask(`files/${key}/`)).json()) as readonly {readonly name: string}[]
  return Promise.all(list.map(async ({name}, at) => new File([await (await ask(`files/${key}/${at}`)).blob()], name)))
}

async function ask(address: string): Promise<Response> {
  const answer = await fetch(address)
  if (!answer.ok)
    throw new Error(
      'the files given on the command line are no longer available; run adfa studio again, or drop them here'
    )
  return answer
}
