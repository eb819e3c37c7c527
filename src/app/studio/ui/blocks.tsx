import {type Block, Blocks, plainText} from '../../present/index.ts'
import type {View} from '../store.ts'
import {GoLink} from './go-link.tsx'
import {Drawn} from './picture.tsx'

/** Results as a page of the studio shows them: links lead to its views, and charts are drawn on a thread of their own. */
export function Results({blocks}: {blocks: readonly Block[]}) {
  return (
    <Blocks
      blocks={blocks}
      host={{
        link: (to, text, name) => (
          <GoLink to={to as Partial<View>} {...(name !== undefined && {label: name})}>
            {text}
          </GoLink>
        ),
        chart: ({chart, caption = ''}) => (
          <>
            <Drawn request={{kind: 'chart', chart}} class="chart" />
            <p class="soft small">{plainText(caption)}</p>
          </>
        )
      }}
    />
  )
}
