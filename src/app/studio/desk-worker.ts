self.postMessage('hello')
